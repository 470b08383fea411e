package io.github.flinkagentsnative.gradle;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.model.Build;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Model;
import org.apache.maven.model.Profile;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;

/** The poms of the build, read with Maven's own reader. */
record Poms(Path root, Model parent, List<Model> modules) {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]+)}");

    static Poms read(Path root) {
        Model parent = model(root.resolve("pom.xml"));
        List<Model> modules = parent.getModules().stream()
                .map(module -> model(root.resolve(module).resolve("pom.xml")))
                .toList();
        return new Poms(root, parent, modules);
    }

    static Model model(Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            Model model = new MavenXpp3Reader().read(reader);
            model.setPomFile(file.toFile());
            return model;
        } catch (IOException | XmlPullParserException e) {
            throw new IllegalStateException(file + " cannot be read", e);
        }
    }

    /** Whether {@code mvn deploy} takes it. */
    boolean isDeployed(Model pom) {
        return !"true".equals(pom.getProperties().getProperty("maven.deploy.skip"));
    }

    /** What the module depends on, the profile that is usually active included. */
    List<Dependency> dependencies(Model pom) {
        List<Dependency> dependencies = new ArrayList<>(pom.getDependencies());
        for (Profile profile : pom.getProfiles()) {
            if (profile.getActivation() != null) {
                dependencies.addAll(profile.getDependencies());
            }
        }
        return dependencies;
    }

    String scope(Dependency dependency) {
        String scope = dependency.getScope() == null ? "compile" : dependency.getScope();
        return scope.equals("compile") && dependency.isOptional() ? "optional" : scope;
    }

    /** {@code group:name:version}, {@code :native} for the library's own jar, then what is excluded. */
    String notation(Model pom, Dependency dependency) {
        String version = dependency.getVersion();
        if (version == null) {
            version = parent.getDependencyManagement().getDependencies().stream()
                    .filter(managed -> managed.getManagementKey().equals(dependency.getManagementKey()))
                    .map(Dependency::getVersion)
                    .findFirst()
                    .orElse("");
        }
        String exclusions = dependency.getExclusions().stream()
                .map(exclusion -> " -" + exclusion.getGroupId() + ":" + exclusion.getArtifactId())
                .sorted()
                .reduce("", String::concat);
        String classifier = dependency.getClassifier() == null ? "" : ":native";
        return dependency.getGroupId() + ":" + dependency.getArtifactId() + ":" + interpolate(pom, version, null)
                + classifier + exclusions;
    }

    Xpp3Dom surefire(Model pom) {
        Build build = pom.getBuild() == null ? new Build() : pom.getBuild();
        return build.getPlugins().stream()
                .filter(plugin -> plugin.getArtifactId().equals("maven-surefire-plugin"))
                .map(plugin -> (Xpp3Dom) plugin.getConfiguration())
                .findFirst()
                .orElseGet(() -> new Xpp3Dom("configuration"));
    }

    String interpolate(Model pom, String text, Path buildFolder) {
        Properties known = new Properties();
        known.putAll(parent.getProperties());
        known.putAll(pom.getProperties());
        known.setProperty("root", root.toString());
        known.setProperty("project.version", parent.getVersion());
        known.setProperty("project.build.directory", String.valueOf(buildFolder));
        known.setProperty("os.detected.classifier", System.getProperty("os.detected.classifier"));
        String result = text.strip();
        for (Matcher matcher = REFERENCE.matcher(result); matcher.find(); matcher = REFERENCE.matcher(result)) {
            result = matcher.replaceFirst(
                    Matcher.quoteReplacement(known.getProperty(matcher.group(1), "?" + matcher.group(1))));
        }
        return result;
    }
}
