package io.github.flinkagentsnative;

import java.time.Duration;
import java.util.Map;

/** What came back over HTTP; header names are in lower case. */
record HttpAnswer(int status, Map<String, String> headers, byte[] body, Duration elapsed) {}
