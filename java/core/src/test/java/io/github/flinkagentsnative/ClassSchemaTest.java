package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
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
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a class looks like as a schema, and that Jackson reads what the schema asks for. */
class ClassSchemaTest {

    @Retention(RetentionPolicy.RUNTIME)
    @interface Nullable {}

    record Parcel(String code, @Nullable String parent, Optional<Integer> weight) {}

    @Test
    void b001_optional_and_nullable_components_are_not_required_and_accept_null() throws Exception {
        assertThat(schema(Parcel.class))
                .isEqualTo(
                        "{\"type\":\"object\",\"properties\":{\"code\":{\"type\":\"string\"},\"parent\":{\"type\":[\"string\",\"null\"]},"
                                + "\"weight\":{\"type\":[\"integer\",\"null\"]}},\"required\":[\"code\"],\"additionalProperties\":false}");
        Parcel expected = new Parcel("A", null, Optional.empty());
        assertThat(read(Parcel.class, "{\"code\":\"A\",\"parent\":null,\"weight\":null}"))
                .isEqualTo(expected);
        assertThat(read(Parcel.class, "{\"code\":\"A\"}")).isEqualTo(expected);
    }

    enum Level {
        LOW,
        HIGH;

        @Override
        public String toString() {
            return "Level." + name();
        }
    }

    record Alarm(Level level) {}

    enum Renamed {
        @JsonProperty("very-low")
        LOW,
        HIGH
    }

    enum Coded {
        ONE(1),
        TWO(2);

        private final int code;

        Coded(int code) {
            this.code = code;
        }

        @JsonValue
        int code() {
            return code;
        }
    }

    record Enums(Renamed renamed, Coded coded) {}

    @Test
    void b002_an_enum_lists_the_values_that_jackson_reads() throws Exception {
        assertThat(schema(Alarm.class)).contains("\"enum\":[\"LOW\",\"HIGH\"]").doesNotContain("Level.HIGH");
        assertThat(read(Alarm.class, "{\"level\":\"HIGH\"}")).isEqualTo(new Alarm(Level.HIGH));
        assertThat(schema(Enums.class))
                .contains(
                        "{\"type\":\"string\",\"enum\":[\"very-low\",\"HIGH\"]}",
                        "{\"type\":\"integer\",\"enum\":[1,2]}");
        assertThat(read(Enums.class, "{\"renamed\":\"very-low\",\"coded\":2}"))
                .isEqualTo(new Enums(Renamed.LOW, Coded.TWO));
    }

    static class Visit {
        public LocalDate day;
        public String city;
    }

    @Test
    void b004_a_date_is_a_string() throws Exception {
        assertThat(schema(Visit.class)).contains("\"day\":{\"type\":\"string\",\"format\":\"date\"}");
        assertThat(read(Visit.class, "{\"day\":\"2024-02-29\",\"city\":\"Oslo\"}").day)
                .isEqualTo(LocalDate.of(2024, 2, 29));
    }

    static class Node {
        public String name;
        public List<Node> kids;
    }

    static class Left {
        public Right r;
    }

    static class Right {
        public Left l;
    }

    @Test
    void b005_recursion_is_a_reference_that_resolves() throws Exception {
        assertThat(schema(Node.class)).contains("\"items\":{\"$ref\":\"#\"}");
        assertThat(schema(Left.class)).contains("\"l\":{\"$ref\":\"#\"}");
        Node node = read(Node.class, "{\"name\":\"a\",\"kids\":[{\"name\":\"b\",\"kids\":[]}]}");
        assertThat(node.kids.get(0).name).isEqualTo("b");
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Circle.class, name = "CIRCLE"),
        @JsonSubTypes.Type(value = Box.class, name = "BOX")
    })
    interface Shape {}

    record Circle(double r) implements Shape {}

    record Box(double w, double h) implements Shape {}

    record Drawing(List<Shape> shapes) {}

    record Named(Circle circle) {}

    private static final String CIRCLE =
            "{\"type\":\"object\",\"properties\":{\"type\":{\"type\":\"string\",\"const\":\"CIRCLE\"},"
                    + "\"r\":{\"type\":\"number\"}},\"required\":[\"type\",\"r\"],\"additionalProperties\":false}";
    private static final String BOX =
            "{\"type\":\"object\",\"properties\":{\"type\":{\"type\":\"string\",\"const\":\"BOX\"},"
                    + "\"w\":{\"type\":\"number\"},\"h\":{\"type\":\"number\"}},\"required\":[\"type\",\"w\",\"h\"],\"additionalProperties\":false}";

    @Test
    void b006_subtypes_are_closed_objects_with_their_own_discriminator() throws Exception {
        assertThat(schema(Drawing.class)).contains("\"items\":{\"anyOf\":[" + CIRCLE + "," + BOX + "]}");
        assertThat(schema(Shape.class)).isEqualTo("{\"anyOf\":[" + CIRCLE + "," + BOX + "]}");
        assertThat(read(Drawing.class, "{\"shapes\":[{\"type\":\"BOX\",\"w\":1.0,\"h\":2.0}]}"))
                .isEqualTo(new Drawing(List.of(new Box(1.0, 2.0))));
    }

    @Test
    void b006_a_subtype_that_is_used_directly_keeps_its_name() throws Exception {
        assertThat(schema(Named.class)).contains(CIRCLE);
        assertThat(read(Named.class, "{\"circle\":{\"type\":\"CIRCLE\",\"r\":1}}"))
                .isEqualTo(new Named(new Circle(1)));
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    sealed interface Expr permits Num, Add {}

    record Num(BigDecimal value) implements Expr {}

    record Add(Expr left, Expr right) implements Expr {}

    @Test
    void b006_a_sealed_type_names_its_subtypes_itself_and_may_recur() throws Exception {
        assertThat(schema(Expr.class)).endsWith("\"anyOf\":[{\"$ref\":\"#/$defs/Num\"},{\"$ref\":\"#/$defs/Add\"}]}");
        String num = "{\"kind\":\"ClassSchemaTest$Num\",\"value\":1.10}";
        assertThat(read(Expr.class, "{\"kind\":\"ClassSchemaTest$Add\",\"left\":" + num + ",\"right\":" + num + "}"))
                .isEqualTo(new Add(new Num(new BigDecimal("1.10")), new Num(new BigDecimal("1.10"))));
    }

    static class Tally {
        public Map<String, Integer> counts;
    }

    static class Open {
        public Map<String, Object> map;
        public Object any;
        public JsonNode node;
    }

    @Test
    void b007_a_map_says_what_its_values_are() throws Exception {
        assertThat(schema(Tally.class))
                .contains("\"counts\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}}");
        assertThat(schema(Open.class)).contains("\"map\":{\"type\":\"object\"},\"any\":{},\"node\":{}");
        Open open = read(Open.class, "{\"map\":{\"a\":1.10,\"b\":[9007199254740993]},\"any\":1.10,\"node\":1.10}");
        assertThat(open.map).isEqualTo(Map.of("a", new BigDecimal("1.10"), "b", List.of(9007199254740993L)));
        assertThat(open.any).isEqualTo(new BigDecimal("1.10"));
        assertThat(open.node.decimalValue()).isEqualTo(new BigDecimal("1.10"));
    }

    record Code(String code) {}

    static final class Types {
        List<Code> codes;
        List<Alarm> alarms;
        Map<String, Code> byName;
    }

    @Test
    void b010_the_elements_of_a_generic_type_are_what_it_says() throws Exception {
        OutputSchema<List<Code>> schema = OutputSchema.ofType(typeOf("codes"));
        assertThat(text(schema))
                .isEqualTo(
                        "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"code\":{\"type\":\"string\"}},"
                                + "\"required\":[\"code\"],\"additionalProperties\":false}}");
        assertThat(schema.read(json("[{\"code\":\"A\"}]"))).containsExactly(new Code("A"));
    }

    @Test
    void b074_lists_of_different_elements_do_not_collide_and_a_type_is_derived_once() throws Exception {
        assertThat(text(OutputSchema.ofType(typeOf("codes"))))
                .isNotEqualTo(text(OutputSchema.ofType(typeOf("alarms"))));
        assertThat(text(OutputSchema.ofType(typeOf("byName"))))
                .startsWith("{\"type\":\"object\",\"additionalProperties\":{");
        assertThat(OutputSchema.<List<Code>>ofType(typeOf("codes"))).isSameAs(OutputSchema.ofType(typeOf("codes")));
        assertThat(OutputSchema.of(Code.class)).isSameAs(OutputSchema.of(Code.class));
    }

    record Ledger(long id, long max, BigInteger big, BigDecimal price, BigDecimal cent) {}

    @Test
    void b070_numbers_are_exact() throws Exception {
        Ledger ledger = read(
                Ledger.class,
                "{\"id\":9007199254740993,\"max\":9223372036854775807,\"big\":9223372036854775817,"
                        + "\"price\":1234567890.123456789,\"cent\":1.10}");
        assertThat(ledger)
                .isEqualTo(new Ledger(
                        9007199254740993L,
                        Long.MAX_VALUE,
                        new BigInteger("9223372036854775817"),
                        new BigDecimal("1234567890.123456789"),
                        new BigDecimal("1.10")));
        assertMisfit(Ledger.class, "{\"id\":9223372036854775808,\"max\":1,\"big\":1,\"price\":1,\"cent\":1}", "/id");
    }

    record Count(int n) {}

    record Boxes(List<Integer> list, Map<String, Long> map, Short small, Double real, float single) {}

    @Test
    void b071_an_integer_is_read_exactly_or_not_at_all() throws Exception {
        assertThat(read(Count.class, "{\"n\":1.5009969E7}")).isEqualTo(new Count(15009969));
        assertThat(read(Count.class, "{\"n\":15009969.0}")).isEqualTo(new Count(15009969));
        for (String wrong : List.of("3.7", "2147483648", "\"42\"", "null", "1e99999")) {
            assertMisfit(Count.class, "{\"n\":" + wrong + "}", "/n");
        }
        assertThat(read(
                        Boxes.class,
                        "{\"list\":[1.0],\"map\":{\"k\":9007199254740993.0},\"small\":1,\"real\":0.1,\"single\":1}"))
                .isEqualTo(new Boxes(List.of(1), Map.of("k", 9007199254740993L), (short) 1, 0.1, 1f));
        assertMisfit(Boxes.class, "{\"list\":[1,3.7]}", "/list/1");
        assertMisfit(Boxes.class, "{\"map\":{\"a/b\":1e30}}", "/map/a~1b");
        assertMisfit(Boxes.class, "{\"small\":32768}", "/small");
        assertMisfit(Boxes.class, "{\"real\":1e400}", "/real");
        assertMisfit(Boxes.class, "{\"single\":1e39}", "/single");
    }

    record Maybe(OptionalInt count, OptionalLong total, OptionalDouble rate) {}

    @Test
    void b071_an_optional_number_is_read_exactly_or_not_at_all() throws Exception {
        assertThat(read(Maybe.class, "{\"count\":1.0,\"total\":9007199254740993.0,\"rate\":0.1}"))
                .isEqualTo(new Maybe(OptionalInt.of(1), OptionalLong.of(9007199254740993L), OptionalDouble.of(0.1)));
        Maybe nothing = new Maybe(OptionalInt.empty(), OptionalLong.empty(), OptionalDouble.empty());
        assertThat(read(Maybe.class, "{\"count\":null,\"total\":null,\"rate\":null}"))
                .isEqualTo(nothing);
        assertThat(read(Maybe.class, "{}")).isEqualTo(nothing);
        assertMisfit(Maybe.class, "{\"count\":2147483648}", "/count");
        assertMisfit(Maybe.class, "{\"total\":3.7}", "/total");
        assertMisfit(Maybe.class, "{\"rate\":1e400}", "/rate");
    }

    record Stamp(UUID id, LocalTime at, LocalDateTime local, Instant when, OffsetDateTime seen, Duration took) {}

    @Test
    void b081_dates_and_ids_are_strings_and_an_offset_is_kept() throws Exception {
        assertThat(schema(Stamp.class))
                .contains(
                        "\"id\":{\"type\":\"string\",\"format\":\"uuid\"}",
                                "\"at\":{\"type\":\"string\",\"format\":\"time\"}",
                        "\"local\":{\"type\":\"string\",\"format\":\"date-time\"}",
                                "\"when\":{\"type\":\"string\",\"format\":\"date-time\"}",
                        "\"seen\":{\"type\":\"string\",\"format\":\"date-time\"}",
                                "\"took\":{\"type\":\"string\",\"format\":\"duration\"}");
        Stamp stamp = read(
                Stamp.class,
                "{\"id\":\"123e4567-e89b-12d3-a456-426614174000\",\"at\":\"09:30:00\",\"local\":\"2024-05-01T09:30:00\","
                        + "\"when\":\"2024-05-01T07:30:00Z\",\"seen\":\"2024-05-01T09:30:00+02:00\",\"took\":\"PT15M\"}");
        assertThat(stamp.seen()).hasToString("2024-05-01T09:30+02:00");
        assertThat(stamp)
                .isEqualTo(new Stamp(
                        UUID.fromString("123e4567-e89b-12d3-a456-426614174000"),
                        LocalTime.of(9, 30),
                        LocalDateTime.of(2024, 5, 1, 9, 30),
                        Instant.parse("2024-05-01T07:30:00Z"),
                        OffsetDateTime.parse("2024-05-01T09:30:00+02:00"),
                        Duration.ofMinutes(15)));
    }

    @Test
    void b081_a_local_time_takes_the_offset_that_its_format_asks_for() throws Exception {
        Stamp stamp = read(
                Stamp.class,
                "{\"id\":\"123e4567-e89b-12d3-a456-426614174000\",\"at\":\"09:30:00+02:00\","
                        + "\"local\":\"2024-05-01T09:30:00Z\",\"when\":\"2024-05-01T09:30:00+02:00\",\"seen\":\"2024-05-01T09:30:00Z\",\"took\":\"PT1H\"}");
        assertThat(stamp.at()).isEqualTo(LocalTime.of(9, 30));
        assertThat(stamp.local()).isEqualTo(LocalDateTime.of(2024, 5, 1, 9, 30));
        assertThat(stamp.when()).isEqualTo(Instant.parse("2024-05-01T07:30:00Z"));
        assertMisfit(Stamp.class, "{\"at\":\"half past nine\"}", "/at");
    }

    static class Flagged {
        @JsonProperty("isOwner")
        private boolean isOwner;

        private boolean active;

        public boolean isOwner() {
            return isOwner;
        }

        public boolean isActive() {
            return active;
        }

        public void setActive(boolean value) {
            active = value;
        }
    }

    @Test
    void b082_a_flag_is_one_property_by_the_name_that_jackson_reads() throws Exception {
        assertThat(schema(Flagged.class))
                .contains("\"properties\":{\"isOwner\":{\"type\":\"boolean\"},\"active\":{\"type\":\"boolean\"}}");
        Flagged flagged = read(Flagged.class, "{\"isOwner\":true,\"active\":false}");
        assertThat(flagged.isOwner).isTrue();
        assertThat(flagged.active).isFalse();
    }

    static class Getters {
        private String name;
        private boolean active;
        private Internal internal;
        private int unreachable;

        public String getName() {
            return name;
        }

        public boolean isActive() {
            return active;
        }

        public Internal getInternal() {
            return internal;
        }
    }

    @JsonIgnoreType
    static class Internal {
        public String secret;
    }

    @Test
    void b082_a_private_field_with_a_getter_is_a_property_unless_its_type_is_ignored() throws Exception {
        assertThat(schema(Getters.class))
                .contains("\"properties\":{\"name\":{\"type\":\"string\"},\"active\":{\"type\":\"boolean\"}}");
        Getters getters = read(Getters.class, "{\"name\":\"a\",\"active\":true}");
        assertThat(getters.name).isEqualTo("a");
        assertThat(getters.active).isTrue();
    }

    static class Months {
        @JsonFormat(pattern = "dd.MM.yyyy")
        public LocalDate day;

        public YearMonth month;
        public ZoneId zone;
        public String text;
        public Optional<String> note;
    }

    @Test
    void b081_an_empty_text_is_no_date_and_does_not_become_null() throws Exception {
        for (String empty : List.of("\"\"", "\" \"")) {
            for (String property : List.of("day", "month", "zone")) {
                assertMisfit(Months.class, "{\"" + property + "\":" + empty + "}", "/" + property);
            }
        }
        Months months = read(Months.class, "{\"text\":\"\",\"note\":\"\"}");
        assertThat(months.text).isEmpty();
        assertThat(months.note).hasValue("");
    }

    record Step(String thought, String answer, int confidence) {}

    static class Base {
        public String zebra;

        @JsonProperty("renamed")
        public int second;
    }

    static class Sub extends Base {
        public String apple;
    }

    @JsonPropertyOrder({"last", "first"})
    record Ordered(int first, int middle, int last) {}

    @Test
    void b083_properties_keep_declaration_order_and_two_runs_give_the_same_bytes() {
        assertThat(schema(Step.class)).containsSubsequence("thought", "answer", "confidence");
        assertThat(schema(Sub.class)).containsSubsequence("zebra", "renamed", "apple");
        assertThat(schema(Ordered.class)).contains("\"required\":[\"last\",\"first\",\"middle\"]");
        for (Class<?> type : List.of(Step.class, Sub.class, Drawing.class, Expr.class, Stamp.class)) {
            assertThat(text(ClassSchema.derive(type))).isEqualTo(schema(type));
        }
    }

    class Inner {
        public static final String VERSION = "1";
        transient int cache;
        public String name;
    }

    @Test
    void b084_only_what_is_data_becomes_a_property() {
        assertThat(schema(Inner.class)).contains("\"properties\":{\"name\":{\"type\":\"string\"}}");
    }

    @JsonClassDescription("A person")
    static class Person {
        @JsonPropertyDescription("as in the passport")
        public String name;

        @JsonIgnore
        public String secret;

        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public String computed;

        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        public String given;

        @JsonFormat(pattern = "dd.MM.yyyy")
        public LocalDate born;

        public byte[] photo;
        public char initial;
        public OptionalInt age;
        public Optional<List<Code>> codes;
        public List<Optional<String>> notes;
        public OptionalLong[] numbers;
    }

    @Test
    void annotations_and_jdk_types_give_what_jackson_reads() throws Exception {
        assertThat(schema(Person.class))
                .isEqualTo("{\"type\":\"object\",\"properties\":{"
                        + "\"name\":{\"type\":\"string\",\"description\":\"as in the passport\"},\"given\":{\"type\":\"string\"},"
                        + "\"born\":{\"type\":\"string\",\"description\":\"In the form dd.MM.yyyy\"},"
                        + "\"photo\":{\"type\":\"string\",\"contentEncoding\":\"base64\"},"
                        + "\"initial\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1},\"age\":{\"type\":[\"integer\",\"null\"]},"
                        + "\"codes\":{\"type\":[\"array\",\"null\"],\"items\":{\"type\":\"object\",\"properties\":{\"code\":{\"type\":\"string\"}},"
                        + "\"required\":[\"code\"],\"additionalProperties\":false}},"
                        + "\"notes\":{\"type\":\"array\",\"items\":{\"type\":[\"string\",\"null\"]}},"
                        + "\"numbers\":{\"type\":\"array\",\"items\":{\"type\":[\"integer\",\"null\"]}}},"
                        + "\"required\":[\"name\",\"given\",\"born\",\"photo\",\"initial\",\"notes\",\"numbers\"],"
                        + "\"description\":\"A person\",\"additionalProperties\":false}");
        Person person = read(
                Person.class,
                "{\"name\":\"A\",\"given\":\"B\",\"born\":\"29.02.2024\",\"photo\":\"AAH/\",\"initial\":\"x\","
                        + "\"notes\":[null,\"n\"],\"numbers\":[1,null]}");
        assertThat(person.born).isEqualTo(LocalDate.of(2024, 2, 29));
        assertThat(person.photo).containsExactly(0, 1, -1);
        assertThat(person.notes).containsExactly(Optional.empty(), Optional.of("n"));
        assertThat(person.numbers).containsExactly(OptionalLong.of(1), OptionalLong.empty());
    }

    static class Bean {
        private final String name;

        @JsonCreator
        Bean(@JsonProperty("name") String name) {
            this.name = name;
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Tolerant(String name) {}

    @Test
    void a_private_field_that_a_constructor_fills_is_a_property() throws Exception {
        assertThat(schema(Bean.class)).contains("\"required\":[\"name\"]");
        assertThat(read(Bean.class, "{\"name\":\"A\"}").name).isEqualTo("A");
    }

    @Test
    void a_class_that_ignores_unknown_properties_is_not_closed() {
        assertThat(schema(Tolerant.class)).doesNotContain("additionalProperties");
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface ByClass {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
    @JsonSubTypes(@JsonSubTypes.Type(Guess.class))
    interface Guessed {}

    record Guess(int g) implements Guessed {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
    @JsonSubTypes(@JsonSubTypes.Type(value = WrappedOne.class, name = "one"))
    interface Wrapped {}

    record WrappedOne(int w) implements Wrapped {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    interface NoSubtypes {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(value = Dog.class, name = "dog"))
    static class Animal {}

    static class Dog extends Animal {}

    interface Bare {}

    record HoldsBare(Bare bare) {}

    static class Unwraps {
        @JsonUnwrapped
        public Code code;
    }

    static class TakesAll {
        @JsonAnySetter
        public Map<String, Object> rest;
    }

    record Email(@JsonValue String value) {}

    static class SetterOnly {
        public void setName(String name) {
            assertThat(name).isNotNull();
        }
    }

    record Epoch(
            @JsonFormat(shape = JsonFormat.Shape.NUMBER) Instant at) {}

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    record Flat(int a, int b) {}

    record HasThread(Thread thread) {}

    static class Grows<T> {
        public T value;
        public Grows<List<T>> next;
    }

    static Stream<Arguments> unsupported() {
        return Stream.of(
                Arguments.of(ByClass.class, "use = CLASS"),
                Arguments.of(Guessed.class, "use = DEDUCTION"),
                Arguments.of(Wrapped.class, "include = WRAPPER_OBJECT"),
                Arguments.of(NoSubtypes.class, "no subtypes are known"),
                Arguments.of(Animal.class, "make it abstract"),
                Arguments.of(HoldsBare.class, "Bare is abstract"),
                Arguments.of(Unwraps.class, "@JsonUnwrapped"),
                Arguments.of(TakesAll.class, "@JsonAnySetter"),
                Arguments.of(Email.class, "@JsonValue"),
                Arguments.of(SetterOnly.class, "'name' has no field"),
                Arguments.of(Epoch.class, "shape = NUMBER"),
                Arguments.of(Flat.class, "shape = ARRAY"),
                Arguments.of(HasThread.class, "java.lang.Thread"),
                Arguments.of(Grows.class, "grow without end"));
    }

    @ParameterizedTest
    @MethodSource("unsupported")
    void b006_what_schema_and_reader_would_not_agree_on_is_a_clear_error(Class<?> type, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutputSchema.of(type))
                .withMessageStartingWith("No output schema can be made: ")
                .withMessageContaining(why);
    }

    @Test
    void a_failure_to_read_names_the_place_and_never_the_value() {
        assertThatThrownBy(() -> read(Drawing.class, "{\"shapes\":[{\"type\":\"s3cr3t\"}]}"))
                .isInstanceOfSatisfying(ChatModelException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
                    assertThat(e.details()).isEqualTo(Map.of("pointer", "/shapes/0"));
                    assertThat(e.getMessage()).contains("/shapes/0").doesNotContain("s3cr3t");
                    assertThat(e.getCause()).isNull();
                });
    }

    @Test
    void a_mapped_schema_reads_and_maps() throws Exception {
        OutputSchema<String> schema = OutputSchema.of(Code.class).map(Code::code);
        assertThat(schema.read(json("{\"code\":\"A\"}"))).isEqualTo("A");
        OutputSchema<Integer> failing = OutputSchema.of(Code.class).map(code -> Integer.parseInt(code.code()));
        assertThatThrownBy(() -> failing.read(json("{\"code\":\"s3cr3t\"}")))
                .isInstanceOfSatisfying(ChatModelException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
                    assertThat(e.getMessage())
                            .contains("java.lang.NumberFormatException")
                            .doesNotContain("s3cr3t");
                });
    }

    private static Type typeOf(String field) throws NoSuchFieldException {
        return Types.class.getDeclaredField(field).getGenericType();
    }

    private static String schema(Class<?> type) {
        return text(OutputSchema.of(type));
    }

    private static String text(OutputSchema<?> schema) {
        return (String) schema.frame().get("text");
    }

    private static <T> T read(Class<T> type, String json) throws ChatModelException {
        return OutputSchema.of(type).read(json(json));
    }

    private static Answer json(String json) {
        return new Answer(json.getBytes(StandardCharsets.UTF_8), null);
    }

    private static void assertMisfit(Class<?> type, String json, String pointer) {
        assertThatThrownBy(() -> read(type, json)).isInstanceOfSatisfying(ChatModelException.class, e -> {
            assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
            assertThat(e.details()).containsEntry("pointer", pointer);
        });
    }

    record Chain(int a, Optional<Chain> next) {}

    record Chains(List<Optional<Chain>> all) {}

    @Test
    @Timeout(20)
    void recursion_through_an_optional_inside_a_list_ends() throws Exception {
        OutputSchema<Chains> schema = OutputSchema.of(Chains.class);
        Chains chains = schema.read("{\"all\":[null,{\"a\":1,\"next\":{\"a\":2,\"next\":null}}]}");
        assertThat(chains.all().get(0)).isEmpty();
        assertThat(chains.all().get(1).orElseThrow().next().orElseThrow().a()).isEqualTo(2);
    }

    record Exact(AtomicLong count, long[] ids, double[] weights) {}

    @Test
    void numbers_in_arrays_and_atomics_are_exact_or_refused() throws Exception {
        OutputSchema<Exact> schema = OutputSchema.of(Exact.class);
        Exact exact = schema.read(
                "{\"count\":9007199254740993.0,\"ids\":[9007199254740993.0,9223372036854775807],\"weights\":[1.5]}");
        assertThat(exact.count().get()).isEqualTo(9007199254740993L);
        assertThat(exact.ids()).containsExactly(9007199254740993L, Long.MAX_VALUE);
        assertThat(exact.weights()).containsExactly(1.5);
        assertThatThrownBy(() -> schema.read("{\"count\":1,\"ids\":[],\"weights\":[1,1e400]}"))
                .isInstanceOfSatisfying(ChatModelException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
                    assertThat(e.details()).containsEntry("pointer", "/weights/1");
                });
        assertThatThrownBy(() -> OutputSchema.of(Year.class).read("1000000000"))
                .isInstanceOfSatisfying(
                        ChatModelException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT));
    }

    record Hidden(int a, @JsonIgnore String note) {}

    @JsonIgnoreProperties({"b"})
    record IgnoredByName(int a, String b) {}

    @JsonIgnoreProperties({"b"})
    record Needed(int a, int b) {}

    @Test
    void ignored_record_components_are_not_asked_for() throws Exception {
        assertThat(OutputSchema.of(Hidden.class).text()).doesNotContain("note");
        assertThat(OutputSchema.of(Hidden.class).read("{\"a\":1}")).isEqualTo(new Hidden(1, null));
        assertThat(OutputSchema.of(IgnoredByName.class).text()).doesNotContain("\"b\"");
        assertThat(OutputSchema.of(IgnoredByName.class).read("{\"a\":1}")).isEqualTo(new IgnoredByName(1, null));
        assertThatThrownBy(() -> OutputSchema.of(Needed.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'b'");
    }

    @JsonDeserialize(builder = Built.Builder.class)
    static final class Built {
        static final class Builder {
            public Builder withName(String name) {
                return this;
            }

            public Built build() {
                return new Built();
            }
        }
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    static final class Identified {
        public int id;
    }

    @Test
    void what_no_schema_can_describe_is_refused_before_a_call_is_paid_for() {
        assertThatThrownBy(() -> OutputSchema.of(Built.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("builder");
        assertThatThrownBy(() -> OutputSchema.of(Identified.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@JsonIdentityInfo");
    }
}
