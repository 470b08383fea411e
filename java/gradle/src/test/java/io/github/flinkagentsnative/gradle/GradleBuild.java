package io.github.flinkagentsnative.gradle;

import groovy.lang.Binding;
import groovy.lang.Closure;
import groovy.lang.GroovyShell;
import groovy.util.DelegatingScript;
import java.io.File;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.maven.model.License;
import org.apache.maven.model.Model;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.gradle.api.Project;
import org.gradle.api.publish.PublishingExtension;
import org.gradle.api.publish.maven.MavenPomLicense;
import org.gradle.api.publish.maven.MavenPublication;
import org.gradle.api.publish.maven.internal.publication.MavenPomInternal;
import org.gradle.internal.xml.XmlTransformer;
import org.gradle.testfixtures.ProjectBuilder;

/** settings.gradle and build.gradle, evaluated by Gradle's own classes; nothing is built. */
record GradleBuild(Project root, Map<String, Project> projects) {
    static GradleBuild evaluate(Path folder) throws Exception {
        Path home = Path.of("target", "gradle-home").toAbsolutePath();
        Project root = ProjectBuilder.builder()
                .withProjectDir(folder.toFile())
                .withName("root")
                .withGradleUserHomeDir(home.toFile())
                .build();
        Map<String, Project> projects = new LinkedHashMap<>();
        modules(folder)
                .forEach((name, module) -> projects.put(
                        name,
                        ProjectBuilder.builder()
                                .withParent(root)
                                .withName(name)
                                .withProjectDir(module)
                                .build()));
        root.apply(Map.of("from", folder.resolve("build.gradle").toFile()));
        return new GradleBuild(root, projects);
    }

    Project project(String name) {
        return projects.get(name);
    }

    Path buildFolder(Model pom) {
        return project(pom.getArtifactId())
                .getLayout()
                .getBuildDirectory()
                .get()
                .getAsFile()
                .toPath();
    }

    MavenPublication publication(String name) {
        return (MavenPublication) project(name)
                .getExtensions()
                .getByType(PublishingExtension.class)
                .getPublications()
                .getByName("maven");
    }

    /** What the script adds to the pom by itself: all but coordinates and the dependencies that Gradle adds. */
    Model publishedPom(MavenPublication publication) throws Exception {
        MavenPomInternal pom = (MavenPomInternal) publication.getPom();
        XmlTransformer transformer = new XmlTransformer();
        transformer.addAction(pom.getXmlAction());
        StringWriter xml = new StringWriter();
        transformer.transform("<project/>", xml);
        Model model = new MavenXpp3Reader().read(new StringReader(xml.toString()));
        model.setName(pom.getName().get());
        model.setDescription(pom.getDescription().get());
        for (MavenPomLicense given : pom.getLicenses()) {
            License license = new License();
            license.setName(given.getName().get());
            license.setUrl(given.getUrl().get());
            model.addLicense(license);
        }
        return model;
    }

    /** What settings.gradle includes: name and folder. */
    private static Map<String, File> modules(Path folder) throws Exception {
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.setScriptBaseClass(DelegatingScript.class.getName());
        GroovyShell shell = new GroovyShell(GradleBuild.class.getClassLoader(), new Binding(), configuration);
        DelegatingScript script =
                (DelegatingScript) shell.parse(folder.resolve("settings.gradle").toFile());
        Settings settings = new Settings(folder.toFile());
        script.setDelegate(settings);
        script.run();
        Map<String, File> modules = new LinkedHashMap<>();
        settings.included.forEach((name, module) -> modules.put(name, module.projectDir));
        return modules;
    }

    /** As much of Gradle's settings object as settings.gradle uses. */
    public static final class Settings {
        public final File rootDir;
        public final RootProject rootProject = new RootProject();
        private final Map<String, Module> included = new LinkedHashMap<>();

        Settings(File rootDir) {
            this.rootDir = rootDir;
        }

        public void include(String name) {
            included.put(name, new Module());
        }

        public Module project(String path) {
            return included.get(path.substring(1));
        }

        public void dependencyResolutionManagement(Closure<?> ignored) {}
    }

    /** The root project's name. */
    public static final class RootProject {
        public String name;
    }

    /** An included module's folder. */
    public static final class Module {
        public File projectDir;
    }
}
