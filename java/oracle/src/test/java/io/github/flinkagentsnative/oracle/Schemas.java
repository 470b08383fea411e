package io.github.flinkagentsnative.oracle;

import com.openai.core.JsonSchemaLocalValidation;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatRequest;
import java.util.ArrayList;
import java.util.List;

/** Inputs with a class as output schema. */
final class Schemas {
    /** Classes whose schema a request carries natively. */
    static final List<Class<?>> NATIVE = List.of(
            Shapes.Ticket.class,
            Shapes.Verdict.class,
            Shapes.Order.class,
            Shapes.Lists.class,
            Shapes.Numbers.class,
            Shapes.Dates.class,
            Shapes.Span.class,
            Shapes.Ids.class,
            Shapes.Letters.class,
            Shapes.Task.class,
            Shapes.Exam.class,
            Shapes.Parcel.class,
            Shapes.OptionalParts.class,
            Shapes.OptionalNumbers.class,
            Shapes.Remark.class,
            Shapes.Dog.class,
            Shapes.NumberHolder.class,
            Shapes.Line.class,
            Shapes.Leg.class,
            Shapes.Pair.class,
            Shapes.Shipment.class,
            Shapes.Tree.class,
            Shapes.Forest.class,
            Shapes.Left.class,
            Shapes.Drawing.class,
            Shapes.Figure.class,
            Shapes.Named.class,
            Shapes.Hidden.class,
            Shapes.WithSetter.class,
            Shapes.IgnoredType.class,
            Shapes.Lenient.class,
            Shapes.Ordered.class,
            Shapes.Flagged.class,
            Shapes.Keywords.class,
            Shapes.Access.class,
            Shapes.Described.class,
            Shapes.Patterned.class,
            Shapes.Swagger.class,
            Shapes.AVeryLongClassNameThatIsFineInJavaButTooLongForTheServiceWithItsPrefix.class,
            Shapes.Größe.class,
            Shapes.Settings.class);

    /** Classes that stay out of the native path. */
    static final List<Class<?>> OTHER = List.of(Shapes.Tally.class, Shapes.Anything.class, Shapes.Unwrapped.class);

    private Schemas() {}

    static List<Input> inputs() {
        List<Class<?>> all = new ArrayList<>(NATIVE);
        all.addAll(OTHER);
        return all.stream().map(Schemas::input).toList();
    }

    private static Input input(Class<?> answer) {
        return new Input(
                "class " + answer.getSimpleName(),
                () -> Sdk.openAi(withSchema(
                        ChatCompletionCreateParams.builder().model(Ours.MODEL).addUserMessage("Fill it."), answer)),
                () -> Ours.request(Ours.openAi(), ChatRequest.of(ChatMessage.user("Fill it.")), answer));
    }

    /** The SDK's own check of the schema is off, as the framework has it. */
    static ChatCompletionCreateParams withSchema(ChatCompletionCreateParams.Builder builder, Class<?> answer) {
        return builder.responseFormat(answer, JsonSchemaLocalValidation.NO)
                .build()
                .rawParams();
    }
}
