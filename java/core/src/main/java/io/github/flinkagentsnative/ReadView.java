package io.github.flinkagentsnative;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.MemberScope;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What Jackson reads into a class: which fields, by which names, in which order, and which subtypes. */
final class ReadView {

    /** The property that names the subtype, and what it says. */
    record Discriminator(String property, String value) {}

    private final ObjectMapper mapper;
    private final DeserializationConfig config;
    private final AnnotationIntrospector introspector;
    private final Map<Class<?>, BeanDescription> beans = new HashMap<>();

    ReadView(ObjectMapper mapper) {
        this.mapper = mapper;
        this.config = mapper.getDeserializationConfig();
        this.introspector = config.getAnnotationIntrospector();
    }

    // ---- properties

    /** The JSON property that Jackson reads into a field, or null when it reads none. */
    BeanPropertyDefinition property(FieldScope field) {
        return property(
                field.getDeclaringTypeMembers()
                        .allTypesAndOverrides()
                        .get(0)
                        .getType()
                        .getErasedType(),
                field.getRawMember());
    }

    private BeanPropertyDefinition property(Class<?> bean, Field field) {
        if (field.isSynthetic()) {
            return null;
        }
        for (BeanPropertyDefinition property : bean(bean).findProperties()) {
            if (field.getName().equals(property.getInternalName())) {
                return isIgnored(bean, field, property) || !isRead(property) ? null : property;
            }
        }
        return null;
    }

    /** What is ignored is not asked for. A record hands even that to its constructor, which needs a value for a primitive. */
    private boolean isIgnored(Class<?> bean, Field field, BeanPropertyDefinition property) {
        boolean named = introspector
                .findPropertyIgnoralByName(config, annotated(bean))
                .findIgnoredForDeserialization()
                .contains(property.getName());
        // Jackson drops the ignored field of a record, and keeps the constructor's parameter.
        JsonIgnore mark = field.getAnnotation(JsonIgnore.class);
        boolean marked = property.hasConstructorParameter() && mark != null && mark.value();
        boolean ignored = named || marked;
        if (ignored
                && property.hasConstructorParameter()
                && property.getRawPrimaryType().isPrimitive()) {
            throw new IllegalArgumentException(
                    "The class " + bean.getName() + " ignores its property '" + property.getName()
                            + "' and needs a value for it in its constructor; give it a wrapper type such as Integer.");
        }
        return ignored;
    }

    /** Jackson also writes straight into a private field that has nothing but a getter, and skips types that are to be ignored. */
    private boolean isRead(BeanPropertyDefinition property) {
        boolean reachable = property.couldDeserialize() || property.hasField();
        return reachable && !Boolean.TRUE.equals(introspector.isIgnorableType(annotated(property.getRawPrimaryType())));
    }

    String nameOverride(FieldScope field) {
        BeanPropertyDefinition property = property(field);
        return property == null || property.getName().equals(field.getDeclaredName()) ? null : property.getName();
    }

    String description(FieldScope field) {
        BeanPropertyDefinition property = field.isFakeContainerItemScope() ? null : property(field);
        return property == null ? null : property.getMetadata().getDescription();
    }

    String description(Class<?> type) {
        return introspector.findClassDescription(annotated(type));
    }

    /** Where {@code @JsonPropertyOrder} puts a property; those that it does not name come after, in declared order. */
    int explicitPosition(MemberScope<?, ?> member) {
        Class<?> bean = member.getDeclaringTypeMembers()
                .allTypesAndOverrides()
                .get(0)
                .getType()
                .getErasedType();
        String[] order = introspector.findSerializationPropertyOrder(annotated(bean));
        int position = order == null ? -1 : Arrays.asList(order).indexOf(member.getSchemaPropertyName());
        return position < 0 ? Integer.MAX_VALUE : position;
    }

    /** Whether null and absence are answers: Optional fields, and those with any annotation called Nullable. */
    boolean isNullable(FieldScope field) {
        Class<?> raw = field.getType().getErasedType();
        if (raw == Optional.class || SimpleTypes.OPTIONAL_NUMBERS.containsKey(raw)) {
            return true;
        }
        if (field.isFakeContainerItemScope()) {
            return false;
        }
        Field member = field.getRawMember();
        return hasNullable(member) || hasNullable(member.getAnnotatedType()) || isNullable(property(field));
    }

    private static boolean isNullable(BeanPropertyDefinition property) {
        if (property == null) {
            return false;
        }
        return Stream.of(
                        property.getField(),
                        property.getGetter(),
                        property.getSetter(),
                        property.getConstructorParameter())
                .filter(member -> member != null)
                .anyMatch(ReadView::hasNullable);
    }

    private static boolean hasNullable(AnnotatedMember member) {
        return member.getAllAnnotations() != null
                && Stream.of(member.getAllAnnotations())
                        .anyMatch(annotations -> hasNullable(annotations.annotations()));
    }

    private static boolean hasNullable(AnnotatedElement element) {
        return hasNullable(Arrays.asList(element.getAnnotations()));
    }

    private static boolean hasNullable(Iterable<Annotation> annotations) {
        for (Annotation annotation : annotations) {
            if (annotation.annotationType().getSimpleName().equals("Nullable")) {
                return true;
            }
        }
        return false;
    }

    /** The pattern that {@code @JsonFormat} gives a date or time, or null. */
    String datePattern(FieldScope field) {
        Map<String, Object> keywords = SimpleTypes.keywords(field.getType().getErasedType());
        BeanPropertyDefinition property = keywords != null && keywords.containsKey("format") ? property(field) : null;
        JsonFormat.Value format = property == null ? null : format(property.getPrimaryMember());
        return format != null && format.hasPattern() ? format.getPattern() : null;
    }

    private JsonFormat.Value format(Annotated annotated) {
        return annotated == null ? null : introspector.findFormat(annotated);
    }

    boolean ignoresUnknown(Class<?> type) {
        return introspector.findPropertyIgnoralByName(config, annotated(type)).getIgnoreUnknown();
    }

    // ---- enums

    /** The wire values of an enum: what Jackson writes for each constant, if it reads it back. */
    ArrayNode enumValues(Class<?> type) {
        ArrayNode values = mapper.createArrayNode();
        for (Object constant : type.getEnumConstants()) {
            JsonNode value = mapper.valueToTree(constant);
            if (!value.isTextual() && !value.isIntegralNumber() || !constant.equals(read(value, type))) {
                throw unsupported(
                        type,
                        "has the constant " + ((Enum<?>) constant).name()
                                + ", which Jackson does not read back from what it writes; check @JsonValue, @JsonCreator and @JsonFormat");
            }
            values.add(value);
        }
        if (values.isEmpty()) {
            throw unsupported(type, "is an enum without constants");
        }
        return values;
    }

    private Object read(JsonNode value, Class<?> type) {
        try {
            return mapper.treeToValue(value, type);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    // ---- subtypes

    /** The classes that stand for a base type, or none when the type stands for itself. */
    List<Class<?>> subtypes(Class<?> type) {
        JsonTypeInfo.Value info = typeInfo(type);
        if (info == null) {
            return List.of();
        }
        Set<Class<?>> concrete = new LinkedHashSet<>();
        for (NamedType named : config.getSubtypeResolver().collectAndResolveSubtypesByTypeId(config, annotated(type))) {
            if (!Modifier.isAbstract(named.getType().getModifiers())) {
                concrete.add(named.getType());
            }
        }
        if (concrete.remove(type) && !concrete.isEmpty()) {
            throw unsupported(type, "is a base type that can also be made itself; make it abstract or an interface");
        }
        if (concrete.isEmpty() && Modifier.isAbstract(type.getModifiers())) {
            throw unsupported(type, "has @JsonTypeInfo, but no subtypes are known; add @JsonSubTypes or seal it");
        }
        return List.copyOf(concrete);
    }

    Discriminator discriminator(Class<?> type) {
        JsonTypeInfo.Value info = typeInfo(type);
        if (info == null) {
            return null;
        }
        String name = introspector.findTypeName(annotated(type));
        String fallback = type.getName().substring(type.getName().lastIndexOf('.') + 1);
        return new Discriminator(info.getPropertyName(), name == null || name.isEmpty() ? fallback : name);
    }

    /** Null for a type that is not polymorphic. */
    private JsonTypeInfo.Value typeInfo(Class<?> type) {
        JsonTypeInfo.Value info = introspector.findPolymorphicTypeInfo(config, annotated(type));
        if (info == null || info.getIdType() == JsonTypeInfo.Id.NONE) {
            return null;
        }
        if (info.getIdType() != JsonTypeInfo.Id.NAME) {
            throw unsupported(type, "has @JsonTypeInfo with use = " + info.getIdType() + "; only NAME has a schema");
        }
        JsonTypeInfo.As inclusion = info.getInclusionType();
        if (inclusion != JsonTypeInfo.As.PROPERTY && inclusion != JsonTypeInfo.As.EXISTING_PROPERTY) {
            throw unsupported(
                    type,
                    "has @JsonTypeInfo with include = " + inclusion
                            + "; only PROPERTY and EXISTING_PROPERTY have a schema");
        }
        return info;
    }

    // ---- checks

    /** Refuses a class whose JSON form is not the object that its fields describe. */
    void checkBean(Class<?> type) {
        if (type.getName().startsWith("java.") || type.getName().startsWith("javax.")) {
            throw unsupported(type, "has no JSON form that a schema can describe; use another type");
        }
        if (Modifier.isAbstract(type.getModifiers()) && !type.isPrimitive()) {
            throw unsupported(
                    type, "is abstract; say with @JsonTypeInfo(use = NAME) and @JsonSubTypes what stands for it");
        }
        BeanDescription bean = bean(type);
        if (bean.findJsonValueAccessor() != null) {
            throw unsupported(
                    type, "is written as one value (@JsonValue), which has no schema; use the value's own type");
        }
        if (introspector.findPOJOBuilder(bean.getClassInfo()) != null) {
            throw unsupported(type, "is made by a builder (@JsonDeserialize), which has no schema; use a record");
        }
        if (bean.getObjectIdInfo() != null) {
            throw unsupported(type, "is written once and then by its id (@JsonIdentityInfo), which has no schema");
        }
        if (bean.findAnySetterAccessor() != null) {
            throw unsupported(type, "takes any property (@JsonAnySetter); use a field of type Map");
        }
        JsonFormat.Value format = bean.findExpectedFormat();
        if (format != null
                && format.getShape() != JsonFormat.Shape.ANY
                && format.getShape() != JsonFormat.Shape.OBJECT) {
            throw unsupported(
                    type, "has @JsonFormat with shape = " + format.getShape() + "; only an object has a schema");
        }
        Set<String> fieldNames = fieldNames(type);
        for (BeanPropertyDefinition property : bean.findProperties()) {
            checkProperty(type, property, fieldNames);
        }
    }

    private void checkProperty(Class<?> type, BeanPropertyDefinition property, Set<String> fieldNames) {
        String where = "property '" + property.getName() + "' ";
        boolean written = property.hasConstructorParameter() || property.hasSetter();
        if (written && !fieldNames.contains(property.getInternalName())) {
            throw unsupported(
                    type, where + "has no field of that name; add one, or ignore the property with @JsonIgnore");
        }
        for (AnnotatedMember member : members(property)) {
            if (introspector.findUnwrappingNameTransformer(member) != null) {
                throw unsupported(
                        type, where + "is @JsonUnwrapped, which has no schema; nest the object or copy its fields");
            }
            JsonTypeInfo.Value info = introspector.findPolymorphicTypeInfo(config, member);
            if (info != null && info.getIdType() != JsonTypeInfo.Id.NONE) {
                throw unsupported(type, where + "has @JsonTypeInfo of its own; put it on the type");
            }
            JsonFormat.Value format = format(member);
            if (format != null && format.getShape().isNumeric()) {
                throw unsupported(
                        type, where + "has @JsonFormat with shape = " + format.getShape() + "; the schema says string");
            }
        }
    }

    private static List<AnnotatedMember> members(BeanPropertyDefinition property) {
        List<AnnotatedMember> members = new ArrayList<>();
        Stream.of(property.getField(), property.getGetter(), property.getSetter(), property.getConstructorParameter())
                .filter(member -> member != null)
                .forEach(members::add);
        return members;
    }

    private static Set<String> fieldNames(Class<?> type) {
        Set<String> names = new HashSet<>();
        for (Class<?> current = type; current != null; current = current.getSuperclass()) {
            for (Field field : current.getDeclaredFields()) {
                names.add(field.getName());
            }
        }
        return names;
    }

    private BeanDescription bean(Class<?> type) {
        return beans.computeIfAbsent(type, key -> config.introspect(mapper.constructType(key)));
    }

    private AnnotatedClass annotated(Class<?> type) {
        return bean(type).getClassInfo();
    }

    private static IllegalArgumentException unsupported(Class<?> type, String why) {
        return new IllegalArgumentException("No output schema can be made: " + type.getName() + " " + why + ".");
    }
}
