package io.github.flinkagentsnative.example;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The command line.
 *
 * @param file the messages; null for the bundled ones
 * @param out where the outcomes go
 * @param provider {@code local}, {@code openai}, {@code azure} or {@code llama}
 * @param parallelism subtasks of the job
 * @param timeout total time for one call
 * @param killAfter after how many outcomes the job fails once; null for never
 */
record Arguments(Path file, Path out, String provider, int parallelism, Duration timeout, Integer killAfter) {
    static final String USAGE = """
            usage: run [FILE.jsonl] [--provider local|openai|azure|llama] [--out FILE or FOLDER] [--parallelism N] [--timeout SECONDS]
                       [--kill-after N]
              FILE.jsonl     one JSON object a line: {"id": "...", "text": "..."}; default: the bundled messages
              --provider     local: a server in this process, no key (default)
                             openai: needs OPENAI_API_KEY, takes OPENAI_BASE_URL, OPENAI_MODEL (default when the key is set)
                             azure: needs AZURE_OPENAI_API_KEY, AZURE_OPENAI_ENDPOINT, OPENAI_API_VERSION, AZURE_OPENAI_DEPLOYMENT,
                                    takes AZURE_OPENAI_MODEL (default when the key is set)
                             llama: a real inference server on this host, llama.cpp with a random-weight model; needs Python 3
              --out          where the outcomes go, one JSON object a line; default: examples/flink-job/target/outcomes.jsonl.
                             When the job is interrupted, those so far are kept in that name with .partial behind it
              --parallelism  subtasks of the job, default 2
              --timeout      seconds for one call, default 60
              --kill-after   fail the job once, when N outcomes are there; it restarts from its last checkpoint, takes recorded answers
                             from its journal, and the report tells how many calls were made, and that none was repeated
              --help         this text
            exit code: 0 each record has its outcome, SUCCESS or FAILED; 1 the job broke; 2 wrong command line, file or setting;
                       3 the provider cannot be had on this host""";

    private static final List<String> PROVIDERS = List.of("local", "openai", "azure", "llama");

    /**
     * @param environment decides the provider when the command line does not
     * @throws IllegalArgumentException with one line that says what is wrong
     */
    static Arguments parse(List<String> args, Map<String, String> environment, Path defaultOut) {
        Path file = null;
        Path out = defaultOut;
        String provider = defaultProvider(environment);
        int parallelism = 2;
        int timeout = 60;
        Integer killAfter = null;
        for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
            String arg = rest.next();
            switch (arg) {
                case "--out" -> out = Path.of(value(rest, arg));
                case "--provider" -> provider = value(rest, arg);
                case "--parallelism" -> parallelism = number(value(rest, arg), arg, 128);
                case "--timeout" -> timeout = number(value(rest, arg), arg, 3600);
                case "--kill-after" -> killAfter = number(value(rest, arg), arg, 100_000);
                default -> {
                    if (arg.startsWith("-")) {
                        throw new IllegalArgumentException("unknown option " + arg);
                    }
                    if (file != null) {
                        throw new IllegalArgumentException("more than one file: " + file + " and " + arg);
                    }
                    file = Path.of(arg);
                }
            }
        }
        if (!PROVIDERS.contains(provider)) {
            throw new IllegalArgumentException(
                    "unknown provider " + provider + ": choose one of " + String.join(", ", PROVIDERS));
        }
        return new Arguments(file, out, provider, parallelism, Duration.ofSeconds(timeout), killAfter);
    }

    private static String defaultProvider(Map<String, String> environment) {
        if (environment.containsKey("OPENAI_API_KEY")) {
            return "openai";
        }
        return environment.containsKey("AZURE_OPENAI_API_KEY") ? "azure" : "local";
    }

    private static String value(Iterator<String> rest, String option) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException("option " + option + " needs a value");
        }
        return rest.next();
    }

    private static int number(String value, String option, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // said below, together with the range
        }
        throw new IllegalArgumentException("option " + option + " takes a number from 1 to " + most + ", not " + value);
    }
}
