package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.flinkagentsnative.ChatConfigurationException;
import io.github.flinkagentsnative.CredentialSupplier;
import io.github.flinkagentsnative.Secret;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Descriptor arguments: what is missing, unknown or wrong is named, and never shown. */
@Timeout(60)
class ArgumentsTest extends ServiceTest {

    private void refused(String name, Object value) {
        refused(name, value, name);
    }

    private void refused(String name, Object value, String... words) {
        Map<String, Object> arguments = Resources.with(service.connectionArguments(server), name, value);
        assertThatThrownBy(() -> service.connection(arguments))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining(service.connection.getSimpleName())
                .hasMessageContainingAll(words)
                .satisfies(e -> assertThat(e.toString()).doesNotContain("sk-secret", LocalService.KEY));
    }

    @ParameterizedTest
    @EnumSource
    void wrongArgumentsOfAConnectionAreNamed(Services service) {
        start(service);
        refused("api_keys", "sk-secret", "it takes [", "api_key");
        refused("api_key", 4711, "java.lang.Integer");
        refused("api_key", " ");
        refused("timeout", "sk-secret");
        refused("timeout", 0);
        refused("timeout", Double.NaN);
        refused("max_retries", 2.5);
        refused("max_retries", -1);
        refused("allow_insecure_http", "sk-secret");
        refused("default_headers", Map.of("a", 1), "a map of texts");
        refused(service.urlArgument(), 3);
    }

    @ParameterizedTest
    @EnumSource
    void everyArgumentThatIsTakenHasAType(Services service) throws Exception {
        start(service);
        String message = unknownArgument(() -> service.connection(Map.of("nonsense", 1)));
        for (String name : known(message)) {
            if (!List.of("default_headers", "native_models").contains(name)) {
                refused(name, Map.of(1, 2));
            }
        }
        String ofSetup = unknownArgument(
                () -> Resources.build(service.setup, Map.of("nonsense", 1), new Resources.Context(Map.of())));
        assertThat(known(ofSetup)).contains("connection", "temperature", "additional_kwargs", "tools");
    }

    private static String unknownArgument(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return org.assertj.core.api.Assertions.catchThrowable(call).getMessage();
    }

    private static List<String> known(String message) {
        return List.of(message.substring(message.indexOf('[') + 1, message.indexOf(']'))
                .split(", "));
    }

    @ParameterizedTest
    @CsvSource({"AZURE, api_version", "AZURE, azure_endpoint", "WATSONX, url"})
    void aMissingArgumentIsNamed(Services service, String name) {
        start(service);
        refused(name, null, "is missing");
    }

    @ParameterizedTest
    @EnumSource
    void aKeyIsRequiredWhereTheServiceWantsOne(Services service) throws Exception {
        assumeTrue(service.wantsKey(), "the service wants none, or the host may have one");
        start(service);
        Map<String, Object> arguments = service.connectionArguments(server);
        // A proxy at Gemini's base URL may bring the key.
        arguments.remove(service == Services.GEMINI ? "base_url" : "no argument");
        arguments.remove("api_key");
        assertThatThrownBy(() -> service.connection(arguments))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Argument 'api_key' of " + service.connection.getSimpleName() + " is missing")
                .hasMessageContaining("credentials_class");
    }

    @ParameterizedTest
    @EnumSource
    void aKeyAndAClassExcludeEachOther(Services service) {
        assumeTrue(service != Services.OLLAMA, "it has no key here");
        start(service);
        refused("credentials_class", Resources.Token.class.getName(), "'api_key'", "exclude each other");
    }

    @ParameterizedTest
    @EnumSource
    void aClassOfTheJobsIsAskedForEachCall(Services service) throws Exception {
        connect(service, "api_key", null, "credentials_class", Changing.class.getName());
        Changing.calls = 0;
        for (int i = 1; i <= 2; i++) {
            try {
                connection.chat(ASK, List.of(), parameters());
            } catch (ChatCallException refused) {
                // The local server knows another key; what counts is what came.
            }
            assertThat(String.join(" ", server.last().headers().values())).contains("changing-key-" + i);
        }
    }

    /** A key that is another one each time. */
    public static final class Changing implements CredentialSupplier {
        private static volatile int calls;

        public Changing() {}

        @Override
        public Secret get() {
            return Secret.of("changing-key-" + ++calls);
        }
    }

    /** Fails as the system property says. */
    public static final class Failing implements CredentialSupplier {
        static final String HOW = "flinkagentsnative.test.failing";

        public Failing() {}

        @Override
        public Secret get() throws Exception {
            if (Thread.currentThread().getContextClassLoader() != Failing.class.getClassLoader()) {
                throw new AssertionError("the thread's loader is not the job's");
            }
            if (System.getProperty(HOW).equals("exception")) {
                throw new java.io.IOException("the vault said sk-secret");
            }
            throw new NoClassDefFoundError("no/such/Vault");
        }
    }

    @Test
    void aClassThatFailsEndsTheCallAtOnce() throws Exception {
        connect(Services.ANTHROPIC, "api_key", null, "credentials_class", Failing.class.getName());
        try {
            System.setProperty(Failing.HOW, "exception");
            assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                    .isInstanceOf(ChatConfigurationException.class)
                    .hasMessageContaining("java.io.IOException")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sk-secret"));
            System.setProperty(Failing.HOW, "error");
            assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                    .isInstanceOf(NoClassDefFoundError.class);
        } finally {
            System.clearProperty(Failing.HOW);
        }
        assertThat(server.requests()).isEmpty();
    }

    /** A class that cannot be used as one. */
    public static final class Unusable {
        Unusable() {}
    }

    @ParameterizedTest
    @EnumSource
    void aClassThatCannotBeUsedIsNamed(Services service) {
        start(service);
        for (String name : List.of("no.such.Type", "java.lang.Object", Unusable.class.getName())) {
            Map<String, Object> arguments =
                    Resources.with(service.connectionArguments(server), "api_key", null, "credentials_class", name);
            assertThatThrownBy(() -> service.connection(arguments))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'credentials_class'", name, service.connection.getSimpleName());
        }
    }

    @ParameterizedTest
    @EnumSource
    void wrongArgumentsOfASetupAreNamed(Services service) {
        Object[][] wrong = {
            {"temprature", 1},
            {"temperature", "hot"},
            {service.maxTokensArgument(), 1.5},
            {"additional_kwargs", List.of()},
            {"connection", null},
            {"connection", 1},
            {"tools", "weather"},
            {"model", 3},
        };
        for (Object[] argument : wrong) {
            Map<String, Object> arguments = Resources.with(service.setupArguments(), (String) argument[0], argument[1]);
            assertThatThrownBy(() -> Resources.build(service.setup, arguments, new Resources.Context(Map.of())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'" + argument[0] + "'", service.setup.getSimpleName());
        }
        assertThatThrownBy(() -> Resources.build(
                        service.setup,
                        Resources.with(service.setupArguments(), "structured_output_strategy", "sometimes"),
                        new Resources.Context(Map.of())))
                .hasMessageContaining("AUTO, NATIVE, PROMPT");
    }

    @ParameterizedTest
    @EnumSource
    void aDescriptorWithoutArgumentsIsNamed(Services service) {
        for (Class<?> type : List.of(service.connection, service.setup)) {
            assertThatThrownBy(() -> type.getConstructor(
                                    ResourceDescriptor.class,
                                    org.apache.flink.agents.api.resource.ResourceContext.class)
                            .newInstance(new ResourceDescriptor(type.getName(), null), null))
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(type.getSimpleName());
        }
    }

    @Test
    void eachConnectionTakesItsOwnArgumentsOnly() {
        start(Services.AZURE);
        refused("api_base_url", "http://x");
        start(Services.OPENAI);
        refused("azure_endpoint", "http://x");
    }

    @ParameterizedTest
    @EnumSource
    void theConnectionDoesNotPrintItsKey(Services service) throws Exception {
        connect(service);
        assertThat(connection.toString())
                .contains(service.connection.getSimpleName(), "open")
                .doesNotContain(LocalService.KEY);
    }

    @ParameterizedTest
    @EnumSource
    void z15_aKeyTravelsInTheClearOnlyToThisHostOrWhereAllowed(Services service) throws Exception {
        start(service);
        Object key = service == Services.OLLAMA ? "sk-secret" : LocalService.KEY;
        Map<String, Object> far = Resources.with(
                service.connectionArguments(server),
                "api_key",
                service == Services.WATSONX ? null : key,
                "token",
                service == Services.WATSONX ? key : null,
                service.urlArgument(),
                "http://192.0.2.1",
                "timeout",
                0.05,
                "max_retries",
                0);
        Map<String, Object> parameters = Resources.with(service.setupArguments(), "connection", null);
        connection = service.connection(far);
        connection.open();
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http");
        connection.close();
        connection = service.connection(Resources.with(far, "allow_insecure_http", true));
        connection.open();
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters)).isInstanceOf(ChatCallException.class);
    }
}
