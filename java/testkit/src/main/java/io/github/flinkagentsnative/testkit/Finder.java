package io.github.flinkagentsnative.testkit;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the few things in a text that a made-up answer needs: amounts, numbers, dates, addresses, codes, sentences, words. */
final class Finder {
    private static final String NUMBER =
            "\\p{Nd}{1,3}(?:[.,' \u00a0\u202f]\\p{Nd}{3})+(?:[.,]\\p{Nd}{1,2})?(?!\\p{Nd})|\\p{Nd}+(?:[.,]\\p{Nd}+)?";
    /** Signs and names of currencies, with the code of each. */
    private static final String[][] CURRENCIES = {
        {"EUR", "€", "euro", "евро", "ευρώ", "يورو"},
        {"USD", "US$", "$", "dollar", "דולר", "долар"},
        {"GBP", "£"},
        {"PLN", "zł"},
        {"CZK", "Kč"},
        {"SEK", "kr"},
        {"TRY", "₺", "TL"},
        {"RUB", "₽", "руб"},
        {"UAH", "₴", "грн"},
        {"ILS", "₪"},
        {"INR", "₹", "रुपये"},
        {"JPY", "円", "¥"},
        {"CNY", "元"},
        {"KRW", "₩", "원"},
        {"BRL", "R$"},
        {"SAR", "ريال"},
        {"CHF"}
    };

    private static final Pattern CURRENCY =
            Pattern.compile(currencyPattern(), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    private static final Pattern AMOUNT = Pattern.compile(
            "(?:" + currencyPattern() + ")[ \u00a0]?(" + NUMBER + ")|(" + NUMBER + ")[ \u00a0\u202f]?(?:"
                    + currencyPattern() + ")",
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    private static final Pattern ANY_NUMBER = Pattern.compile(NUMBER);
    private static final Pattern DATE = Pattern.compile("\\b(\\d{4}-\\d{2}-\\d{2})\\b");
    private static final Pattern EMAIL = Pattern.compile("[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+");
    private static final Pattern URL = Pattern.compile("https?://[^\\s\"'<>]+");
    private static final Pattern CODE = Pattern.compile("\\b[A-Za-z]{1,4}-?\\d{3,}(?:-\\d+)?\\b|#\\d{3,}|№\\s?\\d{3,}");
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?。！？؟।])\\s*|\\R+");

    private Finder() {}

    static Optional<BigDecimal> amount(String text) {
        Matcher matcher = AMOUNT.matcher(text);
        return matcher.find()
                ? number(matcher.group(1) != null ? matcher.group(1) : matcher.group(2))
                : Optional.empty();
    }

    /** The ISO code of the first currency that stands beside a number. */
    static Optional<String> currency(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.find()) {
            return Optional.empty();
        }
        Matcher sign = CURRENCY.matcher(amount.group());
        if (!sign.find()) {
            return Optional.empty();
        }
        String found = sign.group();
        return Arrays.stream(CURRENCIES)
                .filter(names -> Arrays.stream(names).anyMatch(found::equalsIgnoreCase))
                .map(names -> names[0])
                .findFirst();
    }

    static Optional<BigDecimal> firstNumber(String text) {
        Matcher matcher = ANY_NUMBER.matcher(text);
        return matcher.find() ? number(matcher.group()) : Optional.empty();
    }

    static Optional<String> date(String text) {
        return first(DATE, text);
    }

    static Optional<String> email(String text) {
        return first(EMAIL, text);
    }

    static Optional<String> url(String text) {
        return first(URL, text);
    }

    /** An order number, ticket or similar: letters and digits, or {@code #} and digits. */
    static Optional<String> code(String text) {
        return first(CODE, text).map(code -> code.replaceFirst("^(?:#|№\\s?)", ""));
    }

    static List<String> sentences(String text) {
        List<String> sentences = new ArrayList<>();
        for (String part : SENTENCE_END.split(text)) {
            if (!part.isBlank()) {
                sentences.add(part.strip());
            }
        }
        return sentences;
    }

    /** The longest words, in order of appearance. */
    static List<String> words(String text, int most) {
        Set<String> words =
                new LinkedHashSet<>(Arrays.asList(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{M}]+")));
        words.removeIf(word -> word.length() < 2);
        List<String> longest = words.stream()
                .sorted((a, b) -> b.length() - a.length())
                .limit(most)
                .toList();
        return words.stream()
                .filter(longest::contains)
                .map(word -> cut(word, 40))
                .toList();
    }

    /** At most so many UTF-16 units, whole characters only, with an ellipsis where something was cut. */
    static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = most - 1;
        if (Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end) + "…";
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group()) : Optional.empty();
    }

    /** Reads {@code 1.234,56}, {@code 1,234.56}, {@code 1 234}, {@code 12,5}: a last separator before one or two digits is the decimal point. */
    private static Optional<BigDecimal> number(String found) {
        StringBuilder digits = new StringBuilder();
        int lastSeparator = Math.max(found.lastIndexOf('.'), found.lastIndexOf(','));
        boolean decimal = lastSeparator >= 0 && found.length() - lastSeparator - 1 != 3;
        for (int i = 0; i < found.length(); i++) {
            char c = found.charAt(i);
            if (Character.isDigit(c)) {
                digits.append(Character.digit(c, 10));
            } else if (i == lastSeparator && decimal) {
                digits.append('.');
            }
        }
        return digits.length() == 0 || digits.length() > 30
                ? Optional.empty()
                : Optional.of(new BigDecimal(digits.toString()));
    }

    private static String currencyPattern() {
        return Arrays.stream(CURRENCIES)
                .flatMap(Arrays::stream)
                .map(Pattern::quote)
                .reduce((a, b) -> a + "|" + b)
                .orElseThrow();
    }
}
