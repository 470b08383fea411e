import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prints the ratio peer / ours for each pair of benchmarks `xOurs` and `xPeer` in a JMH result file, with the spread over all
 * pairs of iterations: the smallest and the largest ratio that two single iterations give.
 */
public final class Ratios {
    private static final Pattern BENCHMARK = Pattern.compile("\"benchmark\" : \"[^\"]*\\.(\\w+?)(Ours|OpenaiJava)\"");
    private static final Pattern PARAMETER = Pattern.compile("\"textLength\" : \"(\\d+)\"");
    private static final Pattern RAW = Pattern.compile("\"rawData\" : \\[(.*?)\\]\\s*\\}", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?(E-?\\d+)?");

    public static void main(String[] arguments) throws Exception {
        String json = Files.readString(Path.of(arguments[0]));
        Map<String, Map<String, List<Double>>> pairs = new TreeMap<>();
        String[] parts = json.split("(?=\"jmhVersion\")");
        for (String part : parts) {
            Matcher benchmark = BENCHMARK.matcher(part);
            Matcher raw = RAW.matcher(part);
            if (!benchmark.find() || !raw.find()) {
                continue;
            }
            Matcher parameter = PARAMETER.matcher(part);
            String pair = benchmark.group(1) + (parameter.find() ? ", " + parameter.group(1) + " characters" : "");
            List<Double> values = new ArrayList<>();
            Matcher number = NUMBER.matcher(raw.group(1));
            while (number.find()) {
                values.add(Double.parseDouble(number.group()));
            }
            pairs.computeIfAbsent(pair, key -> new TreeMap<>()).put(benchmark.group(2), values);
        }
        System.out.printf("%-36s %12s %12s %8s  %s%n", "pair", "ours us", "peer us", "ratio", "spread");
        pairs.forEach((pair, sides) -> {
            if (sides.size() == 2) {
                print(pair, sides.get("Ours"), sides.get("OpenaiJava"));
            }
        });
    }

    private static void print(String pair, List<Double> ours, List<Double> peer) {
        double smallest = min(peer) / max(ours);
        double largest = max(peer) / min(ours);
        System.out.printf(
                "%-36s %12.2f %12.2f %7.1fx  %.1fx to %.1fx%n",
                pair, median(ours), median(peer), median(peer) / median(ours), smallest, largest);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static double min(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    }

    private static double max(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }
}
