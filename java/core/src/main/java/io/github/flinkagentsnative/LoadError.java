package io.github.flinkagentsnative;

/** Why the library was not loaded: its message says so, and what to do. */
final class LoadError extends UnsatisfiedLinkError {

    private final LinkFailure failure;

    LoadError(LinkFailure failure, String detail) {
        super(failure.explain(detail));
        this.failure = failure;
    }

    LoadError(LinkFailure failure, Throwable cause) {
        this(failure, String.valueOf(cause.getMessage()));
        initCause(cause);
    }

    /** What the JVM or the linker said, explained; one that is explained already stays as it is. */
    static LoadError of(Throwable thrown) {
        return thrown instanceof LoadError told ? told : new LoadError(LinkFailure.of(thrown), thrown);
    }

    LinkFailure failure() {
        return failure;
    }
}
