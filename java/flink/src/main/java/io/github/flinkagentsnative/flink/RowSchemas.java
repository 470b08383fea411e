package io.github.flinkagentsnative.flink;

import io.github.flinkagentsnative.OutputSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.types.RowUtils;

/** Output schemas for answers that are Flink rows. */
public final class RowSchemas {
    private RowSchemas() {}

    /**
     * The output schema of a row type (PR #1270): an object with one required property for each field, in field order, and no others.
     *
     * <p>A row that is read has the row type's fields with their declared types (a number that does not fit is {@code invalid_output}, with
     * its pointer), by position and by name, and can be copied and written by the row type's own serializer. A row type always takes the
     * prompt path: no provider is sent its schema natively.
     *
     * @param type names (for an unnamed row {@code f0}, {@code f1}, ...) and types; the types are Flink's 14 basic ones: String, Boolean,
     *     Byte, Short, Integer, Long, Float, Double, Character, Date, Void, BigInteger, BigDecimal, Instant
     * @throws IllegalArgumentException if a field has another type; the message names the field and its type
     */
    public static OutputSchema<Row> of(RowTypeInfo type) {
        List<String> names = List.of(type.getFieldNames());
        List<Class<?>> types = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            types.add(basicClass(names.get(i), type.getTypeAt(i)));
        }
        return OutputSchema.ofRow(names, types).map(values -> row(names, values));
    }

    private static Class<?> basicClass(String name, TypeInformation<?> type) {
        if (type instanceof BasicTypeInfo) {
            return type.getTypeClass();
        }
        throw new IllegalArgumentException("Currently, output schema only support row contains basic type." + " Field '"
                + name + "' is " + type + ": take one of Flink's basic types, or an output schema from a class.");
    }

    /** Named positions, as Flink's own row serializer makes them: the row answers to both {@code getField(0)} and {@code getField("name")}. */
    private static Row row(List<String> names, List<Object> values) {
        LinkedHashMap<String, Integer> positions = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            positions.put(names.get(i), i);
        }
        return RowUtils.createRowWithNamedPositions(RowKind.INSERT, values.toArray(), positions);
    }
}
