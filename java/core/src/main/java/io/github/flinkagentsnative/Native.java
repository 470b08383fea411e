package io.github.flinkagentsnative;

/**
 * Every native function of the library (docs/boundary.md). Frames in, frames out; Rust reads no Java object and calls no
 * Java method. Call {@link NativeLibrary#load} before, and read answers with {@link NativeErrors#result}.
 */
final class Native {

    private Native() {}

    static native byte[] handshake(byte[] frame);

    static native byte[] decide(byte[] frame);

    static native byte[] buildRequest(byte[] frame);

    static native byte[] parseResponse(byte[] frame);

    static native byte[] readAnswer(byte[] frame);

    static native byte[] schemaText(byte[] frame);

    static native byte[] runStep(byte[] frame);

    static native byte[] readJson(byte[] frame);

    static native byte[] writeJson(byte[] frame);

    static native byte[] openClient(byte[] frame);

    static native byte[] submitCall(long client, long call, byte[] frame);

    static native byte[] cancelCall(long client, long call);

    static native byte[] awaitCalls(long runtime);

    static native byte[] closeClient(long client);
}
