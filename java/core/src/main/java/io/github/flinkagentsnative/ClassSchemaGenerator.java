package io.github.flinkagentsnative;

import com.fasterxml.classmate.ResolvedType;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.victools.jsonschema.generator.CustomDefinition;
import com.github.victools.jsonschema.generator.CustomPropertyDefinition;
import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.MemberScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerationContext;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigPart;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.generator.TypeScope;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The JSON Schema (draft 2020-12) of a Java type. victools walks the types; what a class looks like in JSON comes from
 * {@link ReadView}, so that schema and reader agree. victools' own Jackson module is not used: it describes what Jackson writes.
 */
final class ClassSchemaGenerator {

    private static final int MAX_TYPE_NESTING = 16;

    private final ReadView view;

    private ClassSchemaGenerator(ReadView view) {
        this.view = view;
    }

    /**
     * victools inlines a class that is used once. One that is recursive through an Optional would become a tree that holds
     * itself, which its clean-up then walks for ever. So where one of these leads back to itself, every class stays a definition.
     */
    static String generate(ObjectMapper mapper, Type type) {
        JsonNode definitions = tree(mapper, type, true);
        try {
            return mapper.writeValueAsString(
                    isRecursiveThroughNullable(definitions) ? definitions : tree(mapper, type, false));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Writing a JSON tree to memory failed", e);
        }
    }

    private static JsonNode tree(ObjectMapper mapper, Type type, boolean definitions) {
        SchemaGeneratorConfigBuilder builder = new SchemaGeneratorConfigBuilder(
                        mapper, SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
                .with(Option.MAP_VALUES_AS_ADDITIONAL_PROPERTIES)
                .with(Option.NULLABLE_ARRAY_ITEMS_ALLOWED)
                .with(Option.PLAIN_DEFINITION_KEYS)
                .with(definitions ? Option.DEFINITIONS_FOR_ALL_OBJECTS : Option.INLINE_NULLABLE_SCHEMAS)
                .without(Option.SCHEMA_VERSION_INDICATOR)
                .without(Option.FLATTENED_ENUMS)
                .without(Option.FLATTENED_OPTIONALS)
                .without(Option.FLATTENED_SUPPLIERS)
                .without(Option.VALUES_FROM_CONSTANT_FIELDS);
        new ClassSchemaGenerator(new ReadView(mapper)).configure(builder);
        return new SchemaGenerator(builder.build()).generateSchema(type);
    }

    private static boolean isRecursiveThroughNullable(JsonNode schema) {
        for (String definition : (Iterable<String>) schema.path("$defs")::fieldNames) {
            // The name that victools gives to what may be null.
            if (definition.endsWith("-nullable")
                    && leadsTo(
                            "#/$defs/" + definition, schema.path("$defs").path(definition), schema, new HashSet<>())) {
                return true;
            }
        }
        return false;
    }

    private static boolean leadsTo(String wanted, JsonNode from, JsonNode schema, Set<String> seen) {
        for (String reference : from.findValuesAsText("$ref")) {
            if (reference.equals(wanted)) {
                return true;
            }
            if (seen.add(reference) && leadsTo(wanted, schema.at(reference.substring(1)), schema, seen)) {
                return true;
            }
        }
        return false;
    }

    private void configure(SchemaGeneratorConfigBuilder builder) {
        SchemaGeneratorConfigPart<FieldScope> fields = builder.forFields();
        fields.withIgnoreCheck(field -> view.property(field) == null);
        fields.withPropertyNameOverrideResolver(view::nameOverride);
        fields.withDescriptionResolver(view::description);
        fields.withRequiredCheck(field -> !view.isNullable(field));
        fields.withNullableCheck(view::isNullable);
        fields.withTargetTypeOverridesResolver(ClassSchemaGenerator::unwrapOptional);
        fields.withCustomDefinitionProvider(this::patternedDate);
        fields.withInstanceAttributeOverride((node, field, context) -> describePattern(node, field));
        builder.forTypesInGeneral()
                .withPropertySorter(this::compare)
                .withDescriptionResolver(
                        scope -> view.description(scope.getType().getErasedType()))
                .withCustomDefinitionProvider(this::simpleType)
                .withCustomDefinitionProvider(this::enumeration)
                .withCustomDefinitionProvider(this::checked)
                .withSubtypeResolver(this::subtypes)
                .withTypeAttributeOverride(this::finishObject);
    }

    private int compare(MemberScope<?, ?> one, MemberScope<?, ?> other) {
        return Integer.compare(view.explicitPosition(one), view.explicitPosition(other));
    }

    private static List<ResolvedType> unwrapOptional(FieldScope field) {
        Class<?> raw = field.getType().getErasedType();
        if (raw == Optional.class) {
            return List.of(field.getContext().getTypeParameterFor(field.getType(), Optional.class, 0));
        }
        Class<?> number = SimpleTypes.OPTIONAL_NUMBERS.get(raw);
        return number == null ? null : List.of(field.getContext().resolve(number));
    }

    /** A date in a form of the user's own has no standard format; the model is told the form instead. */
    private CustomPropertyDefinition patternedDate(FieldScope field, SchemaGenerationContext context) {
        if (view.datePattern(field) == null) {
            return null;
        }
        return new CustomPropertyDefinition(
                context.getGeneratorConfig().createObjectNode().put("type", "string"));
    }

    private void describePattern(ObjectNode node, FieldScope field) {
        String pattern = view.datePattern(field);
        if (pattern != null && !node.has("description")) {
            node.put("description", "In the form " + pattern);
        }
    }

    private CustomDefinition simpleType(ResolvedType type, SchemaGenerationContext context) {
        Map<String, Object> keywords = SimpleTypes.keywords(type.getErasedType());
        if (keywords == null) {
            return null;
        }
        ObjectNode node = context.getGeneratorConfig().createObjectNode();
        keywords.forEach((keyword, value) -> node.set(
                keyword, value instanceof Integer number ? node.numberNode(number) : node.textNode((String) value)));
        return inline(node);
    }

    private CustomDefinition enumeration(ResolvedType type, SchemaGenerationContext context) {
        Class<?> raw = type.getErasedType();
        if (!raw.isEnum()) {
            return null;
        }
        ArrayNode values = view.enumValues(raw);
        ObjectNode node = context.getGeneratorConfig().createObjectNode();
        node.put("type", values.get(0).isTextual() ? "string" : "integer");
        node.set("enum", values);
        return inline(node);
    }

    /** Refuses a generic type that would go on for ever, such as {@code class A<T> { A<List<T>> next; }}. */
    private static void checkNesting(ResolvedType type, int levelsLeft, ResolvedType whole) {
        if (levelsLeft == 0) {
            throw new IllegalArgumentException("No output schema can be made: the type arguments of "
                    + whole.getErasedType().getName() + " are nested deeper than " + MAX_TYPE_NESTING
                    + " levels, or grow without end.");
        }
        for (ResolvedType argument : type.getTypeParameters()) {
            checkNesting(argument, levelsLeft - 1, whole);
        }
    }

    /** Refuses what has no schema before anything walks into it; defines nothing. */
    private CustomDefinition checked(ResolvedType type, SchemaGenerationContext context) {
        checkNesting(type, MAX_TYPE_NESTING, type);
        Class<?> raw = type.getErasedType();
        boolean isBean =
                !Map.class.isAssignableFrom(raw) && !context.getTypeContext().isContainerType(type);
        if (isBean && view.subtypes(raw).isEmpty()) {
            view.checkBean(raw);
        }
        return null;
    }

    private static CustomDefinition inline(ObjectNode node) {
        return new CustomDefinition(
                node, CustomDefinition.DefinitionType.INLINE, CustomDefinition.AttributeInclusion.YES);
    }

    private List<ResolvedType> subtypes(ResolvedType type, SchemaGenerationContext context) {
        List<ResolvedType> subtypes = new ArrayList<>();
        for (Class<?> subtype : view.subtypes(type.getErasedType())) {
            subtypes.add(context.getTypeContext().resolveSubtype(type, subtype));
        }
        return subtypes;
    }

    /** Closes an object and pins its discriminator. */
    private void finishObject(ObjectNode node, TypeScope scope, SchemaGenerationContext context) {
        Class<?> raw = scope.getType().getErasedType();
        boolean isObject = node.path("type").asText().equals("object");
        if (!isObject || Map.class.isAssignableFrom(raw) || SimpleTypes.keywords(raw) != null) {
            return;
        }
        ReadView.Discriminator discriminator = view.discriminator(raw);
        if (discriminator != null) {
            pin(node, discriminator);
        }
        if (!node.has("properties")) {
            node.putObject("properties");
        }
        if (!view.ignoresUnknown(raw)) {
            node.put("additionalProperties", false);
        }
    }

    /** The discriminator comes first: models write properties in this order. */
    private static void pin(ObjectNode node, ReadView.Discriminator discriminator) {
        ObjectNode properties = node.objectNode();
        properties.putObject(discriminator.property()).put("type", "string").put("const", discriminator.value());
        ArrayNode required = node.arrayNode().add(discriminator.property());
        node.path("properties")
                .fields()
                .forEachRemaining(member -> properties.putIfAbsent(member.getKey(), member.getValue()));
        node.path("required").forEach(name -> {
            if (!name.asText().equals(discriminator.property())) {
                required.add(name);
            }
        });
        node.set("properties", properties);
        node.set("required", required);
    }
}
