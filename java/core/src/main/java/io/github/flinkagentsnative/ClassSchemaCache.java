package io.github.flinkagentsnative;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Schemas of classes, derived once for each full generic type.
 *
 * <p>Where a schema is kept decides which class loaders it keeps alive. It is kept at the class whose loader sees all others
 * involved, this library's included: there it dies together with that loader, and pins none that could be unloaded before.
 */
final class ClassSchemaCache {

    private static final ClassValue<Map<Type, OutputSchema<?>>> SCHEMAS = new ClassValue<>() {
        @Override
        protected Map<Type, OutputSchema<?>> computeValue(Class<?> holder) {
            return new ConcurrentHashMap<>();
        }
    };

    private ClassSchemaCache() {}

    static OutputSchema<?> get(Type type) {
        Class<?> holder = holder(type);
        if (holder == null) {
            return derive(type);
        }
        Map<Type, OutputSchema<?>> schemas = SCHEMAS.get(holder);
        OutputSchema<?> known = schemas.get(type);
        if (known != null) {
            return known;
        }
        // Not inside the map's own lock: other classes must not wait for this one.
        OutputSchema<?> derived = derive(type);
        OutputSchema<?> first = schemas.putIfAbsent(type, derived);
        return first != null ? first : derived;
    }

    /** Loads the classes that need victools and Jackson only now, so that {@link OutputSchema} works without them. */
    private static OutputSchema<?> derive(Type type) {
        try {
            return ClassSchema.derive(type);
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException(
                    "An output schema from a class needs libraries that are not on the class path (missing: "
                            + e.getMessage()
                            + "). Add com.github.victools:jsonschema-generator, com.fasterxml.jackson.core:jackson-databind,"
                            + " com.fasterxml.jackson.datatype:jackson-datatype-jdk8 and com.fasterxml.jackson.datatype:jackson-datatype-jsr310,"
                            + " or give a JSON Schema document (OutputSchema.ofJsonSchema).",
                    e);
        }
    }

    /** The class whose loader sees the loaders of all others, or null when there is none; then nothing is kept. */
    private static Class<?> holder(Type type) {
        List<Class<?>> classes = new ArrayList<>(List.of(OutputSchema.class));
        collect(type, classes);
        Class<?> deepest = OutputSchema.class;
        for (Class<?> candidate : classes) {
            if (sees(candidate.getClassLoader(), deepest.getClassLoader())) {
                deepest = candidate;
            }
        }
        for (Class<?> other : classes) {
            if (!sees(deepest.getClassLoader(), other.getClassLoader())) {
                return null;
            }
        }
        return deepest;
    }

    private static boolean sees(ClassLoader loader, ClassLoader other) {
        if (other == null) {
            return true;
        }
        for (ClassLoader current = loader; current != null; current = current.getParent()) {
            if (current == other) {
                return true;
            }
        }
        return false;
    }

    private static void collect(Type type, List<Class<?>> classes) {
        if (type instanceof Class<?> plain) {
            classes.add(plain);
        } else if (type instanceof ParameterizedType generic) {
            collect(generic.getRawType(), classes);
            for (Type argument : generic.getActualTypeArguments()) {
                collect(argument, classes);
            }
        } else if (type instanceof GenericArrayType array) {
            collect(array.getGenericComponentType(), classes);
        } else if (type instanceof WildcardType wildcard) {
            for (Type bound : wildcard.getUpperBounds()) {
                collect(bound, classes);
            }
        } else {
            throw new IllegalArgumentException(
                    "The type variable " + type.getTypeName() + " is not known; name a concrete type.");
        }
    }
}
