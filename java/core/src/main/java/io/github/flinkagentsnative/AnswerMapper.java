package io.github.flinkagentsnative;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The Jackson mapper that reads answers into classes.
 *
 * <p>Each schema has its own: Jackson caches by class, and a shared cache would keep a job's class loader alive after the job
 * has ended. For the same reason its buffers are not kept in thread-locals; and its type cache is not the one that mappers
 * share, because Jdk8Module modifies types, which takes a cache of its own.
 */
final class AnswerMapper {

    private AnswerMapper() {}

    static ObjectMapper create() {
        JsonFactory factory = JsonFactory.builder()
                .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
                .build();
        return JsonMapper.builder(factory)
                .annotationIntrospector(new Introspector())
                .addModule(new Jdk8Module())
                .addModule(new JavaTimeModule())
                .addModule(new ExactValues())
                // The schema has closed what must be closed, and the answer has been checked against it.
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                // An empty text is no date, zone or month; Jackson would make it null.
                .withCoercionConfigDefaults(
                        coercions -> coercions.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
                // An offset is part of the answer.
                .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                // A decimal keeps its scale, also inside JSON trees.
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
                .build();
    }

    /** Jackson's own reading of annotations, with two gaps filled that matter for polymorphic answers. */
    private static final class Introspector extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        /** A sealed type names its subtypes itself; annotations that a type inherits speak of its siblings too. */
        @Override
        public List<NamedType> findSubtypes(Annotated annotated) {
            Class<?> type = annotated.getRawType();
            List<NamedType> named = super.findSubtypes(annotated);
            if (!(annotated instanceof AnnotatedClass)) {
                return named;
            }
            List<NamedType> subtypes = new ArrayList<>();
            if (named != null) {
                named.stream()
                        .filter(subtype -> isBelow(type, subtype.getType()))
                        .forEach(subtypes::add);
            } else if (type.isSealed()) {
                Stream.of(type.getPermittedSubclasses()).map(NamedType::new).forEach(subtypes::add);
            }
            return subtypes;
        }

        private static boolean isBelow(Class<?> type, Class<?> subtype) {
            return type != subtype && type.isAssignableFrom(subtype);
        }

        /** A subtype keeps the name that its base type gives it, also where it is used directly. */
        @Override
        public String findTypeName(AnnotatedClass annotated) {
            Class<?> type = annotated.getRawType();
            String given = nameGivenBy(type.getSuperclass(), type);
            for (Class<?> base : type.getInterfaces()) {
                given = given != null ? given : nameGivenBy(base, type);
            }
            return given != null ? given : super.findTypeName(annotated);
        }

        private static String nameGivenBy(Class<?> base, Class<?> type) {
            if (base == null || base == Object.class) {
                return null;
            }
            JsonSubTypes subtypes = base.getDeclaredAnnotation(JsonSubTypes.class);
            if (subtypes != null) {
                for (JsonSubTypes.Type subtype : subtypes.value()) {
                    if (subtype.value() == type && !subtype.name().isEmpty()) {
                        return subtype.name();
                    }
                }
            }
            String given = nameGivenBy(base.getSuperclass(), type);
            for (Class<?> further : base.getInterfaces()) {
                given = given != null ? given : nameGivenBy(further, type);
            }
            return given;
        }
    }
}
