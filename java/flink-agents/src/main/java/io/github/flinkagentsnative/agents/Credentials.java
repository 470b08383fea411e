package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.AwsCredentials;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.CredentialSupplier;
import io.github.flinkagentsnative.Provider;
import java.util.concurrent.Callable;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/** Who answers for the calls of a connection: {@code api_key}, or a class of the job's that is asked for each call. */
final class Credentials {

    private static final String CLASS = "credentials_class";

    private Credentials() {}

    /** @throws IllegalArgumentException for a class that cannot be used; the message names it */
    static void give(ChatModel.Builder model, Provider provider, ResourceDescriptor descriptor, Class<?> owner) {
        String key = descriptor.getArgument("api_key");
        String name = descriptor.getArgument(CLASS);
        if (key != null) {
            model.apiKey(key);
        } else if (name != null) {
            Object supplier = instance(name, owner);
            if (supplier instanceof AwsCredentials aws && provider == Provider.BEDROCK) {
                model.awsCredentials(() -> inLoaderOf(aws, aws::get));
            } else if (supplier instanceof CredentialSupplier keys) {
                model.credentials(() -> inLoaderOf(keys, keys::get));
            } else {
                throw new IllegalArgumentException("Argument '" + CLASS + "' of " + owner.getSimpleName() + " names "
                        + name + ", which is no CredentialSupplier"
                        + (provider == Provider.BEDROCK ? " and no AwsCredentials." : "."));
            }
        }
    }

    /** Calls are made on this library's threads; what the job's class loads by the thread's loader is the job's all the same. */
    private static <T> T inLoaderOf(Object supplier, Callable<T> call) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(supplier.getClass().getClassLoader());
        try {
            return call.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The job's class: the context's loader knows it, also when this library is in Flink's {@code lib/}. */
    private static Object instance(String name, Class<?> owner) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try {
            return Class.forName(name, true, context == null ? owner.getClassLoader() : context)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    "Argument '" + CLASS + "' of " + owner.getSimpleName() + " names " + name
                            + ", which cannot be made (" + e.getClass().getSimpleName()
                            + "); it has to be a public class of the job with a public constructor without parameters.",
                    e);
        }
    }
}
