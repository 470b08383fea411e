package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIgnoreType;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** The classes that both sides derive a schema from. Each pins one trait; small, so that a random model can fill them. */
final class Shapes {
    private Shapes() {}

    // ---- plain values and nesting

    public static class Ticket {
        public String title;
        public int count;
        public boolean done;
    }

    public static class Customer {
        public String name;
        public String language;
    }

    public enum Category {
        BILLING,
        OUTAGE,
        QUESTION
    }

    public static class Verdict {
        public Category category;
        public int urgency;
        public Customer customer;
        public List<String> topics;
        public BigDecimal refund;
        public String summary;
    }

    public record Address(String street, String city) {}

    public record Order(String sku, int quantity, Address address) {}

    public static class Lists {
        public List<List<Integer>> table;
        public String[] words;
        public Set<Integer> numbers;
        public List<Customer> customers;
    }

    public static class Numbers {
        public short small;
        public long large;
        public BigInteger huge;
        public float single;
        public double real;
        public BigDecimal exact;
    }

    public static class Dates {
        public LocalDate day;
        public LocalTime at;
        public LocalDateTime local;
        public Instant when;
        public OffsetDateTime seen;
    }

    public static class Span {
        public Duration took;
    }

    public static class Ids {
        public UUID id;
        public URI link;
    }

    public static class Letters {
        public char grade;
        public byte[] data;
    }

    // ---- enums

    public enum Priority {
        @JsonProperty("very-low")
        LOW,
        @JsonProperty("urgent")
        HIGH,
        NORMAL
    }

    public static class Task {
        public Priority priority;
        public List<Priority> history;
    }

    public enum Grade {
        FIRST(1),
        SECOND(2);

        private final int number;

        Grade(int number) {
            this.number = number;
        }

        @JsonValue
        public int number() {
            return number;
        }
    }

    public static class Exam {
        public Grade grade;
    }

    // ---- optional values

    public record Parcel(String code, Optional<Integer> weight, Optional<String> note) {}

    public static class OptionalParts {
        public Optional<Category> category;
        public Optional<Customer> customer;
        public Optional<List<String>> topics;
    }

    public static class OptionalNumbers {
        public OptionalInt count;
        public OptionalLong total;
        public OptionalDouble rate;
    }

    @Retention(RetentionPolicy.RUNTIME)
    public @interface Nullable {}

    public static class Remark {
        @Nullable
        public String text;

        public int line;
    }

    // ---- inheritance, repetition, recursion

    public static class Animal {
        public String name;
    }

    public static class Dog extends Animal {
        public int age;
    }

    public static class Holder<T> {
        public T content;
    }

    public static class NumberHolder extends Holder<Integer> {
        public String label;
    }

    public record Point(int x, int y) {}

    public record Line(Point from, Point to) {}

    public static class Tree {
        public String name;
        public List<Tree> children;
    }

    public static class Forest {
        public Tree oldest;
        public List<Tree> trees;
    }

    public static class Left {
        public List<Right> rights;
    }

    public static class Right {
        public List<Left> lefts;
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Circle.class, name = "circle"),
        @JsonSubTypes.Type(value = Box.class, name = "box")
    })
    public interface Figure {}

    public record Circle(int radius) implements Figure {}

    public record Box(int width, int height) implements Figure {}

    public static class Drawing {
        public List<Figure> figures;
    }

    public record Leg(
            @JsonPropertyDescription("Where it starts") Point from,
            @JsonPropertyDescription("Where it ends") Point to) {}

    public static class Pair {
        public Holder<Integer> first;
        public Holder<Integer> second;
    }

    public static class Invoice {
        public record Item(String article) {}

        public Item one;
        public Item two;
    }

    public static class Delivery {
        public record Item(int weight) {}

        public Item one;
        public Item two;
    }

    public static class Shipment {
        public Invoice invoice;
        public Delivery delivery;
    }

    // ---- what is a property

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public static class Named {
        private String firstName;

        @JsonProperty("family")
        private String lastName;

        public String getFirstName() {
            return firstName;
        }

        public String getLastName() {
            return lastName;
        }
    }

    public static class Hidden {
        public static String constant = "c";
        public transient String passing;
        public String kept;

        @JsonIgnore
        public String ignored;

        private String unreachable;
    }

    public static class WithSetter {
        public String open;
        private String written;

        public void setWritten(String value) {
            written = value;
        }
    }

    @JsonIgnoreType
    public static class Internal {
        public String secret;
    }

    public static class IgnoredType {
        public String kept;
        public Internal internal;
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    public static class Lenient {
        public String text;
    }

    @JsonPropertyOrder({"zulu", "alpha"})
    public static class Ordered {
        public int alpha;
        public int mike;
        public int zulu;
    }

    public static class Flagged {
        private boolean active;

        public boolean isActive() {
            return active;
        }
    }

    public static class Keywords {
        public String type;

        @JsonProperty("$ref")
        public String ref;

        @JsonProperty("enum")
        public int items;

        @JsonProperty("properties")
        public boolean required;
    }

    public static class Access {
        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        public String in;

        public String both;
    }

    // ---- texts

    @JsonClassDescription("What the customer wants")
    public static class Described {
        @JsonPropertyDescription("From 1 (can wait) to 5 (production is down)")
        public int urgency;

        public Facts more;
    }

    @JsonClassDescription("Further facts")
    public static class Facts {
        @JsonPropertyDescription("Two letters")
        public String language;
    }

    public static class Patterned {
        @JsonFormat(pattern = "dd.MM.yyyy")
        public LocalDate day;
    }

    public static class Swagger {
        @Schema(minimum = "1", maximum = "5", description = "Stars")
        public int stars;
    }

    // ---- names

    public static class AVeryLongClassNameThatIsFineInJavaButTooLongForTheServiceWithItsPrefix {
        public String text;
    }

    public static class Größe {
        public int zahl;
    }

    // ---- what no request can carry, or only one side can

    public static class Tally {
        public String name;
        public Map<String, Integer> counts;
    }

    public static class Anything {
        public Object value;
    }

    public static class Unwrapped {
        public String name;

        @JsonUnwrapped
        public Address address;
    }

    public static class Settings {
        public Locale locale;
        public Year year;
    }
}
