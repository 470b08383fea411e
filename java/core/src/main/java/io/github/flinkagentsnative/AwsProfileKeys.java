package io.github.flinkagentsnative;

/** The keys of one profile, and its name, by which a model without a region finds one. */
record AwsProfileKeys(String name, AwsProfiles profiles) implements AwsCredentials {

    @Override
    public AwsKeys get() {
        return profiles.keys(name);
    }

    @Override
    public String toString() {
        return "AwsProfileKeys[" + name + "]";
    }
}
