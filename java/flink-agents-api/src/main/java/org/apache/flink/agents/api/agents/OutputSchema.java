package org.apache.flink.agents.api.agents;

import java.io.Serializable;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.RowTypeInfo;

/** A row type as an output schema (#1270). */
public class OutputSchema implements Serializable {
    private static final long serialVersionUID = 1L;

    private final RowTypeInfo schema;

    public OutputSchema(RowTypeInfo schema) {
        for (TypeInformation<?> field : schema.getFieldTypes()) {
            if (!(field instanceof BasicTypeInfo)) {
                throw new IllegalArgumentException("Currently, output schema only support row contains basic type.");
            }
        }
        this.schema = schema;
    }

    public RowTypeInfo getSchema() {
        return schema;
    }
}
