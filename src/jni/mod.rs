//! JNI.
