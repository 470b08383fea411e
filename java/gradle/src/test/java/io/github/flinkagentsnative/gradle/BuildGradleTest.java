package io.github.flinkagentsnative.gradle;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.License;
import org.apache.maven.model.Model;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.artifacts.ExternalModuleDependency;
import org.gradle.api.artifacts.ModuleDependency;
import org.gradle.api.artifacts.ProjectDependency;
import org.gradle.api.publish.PublishingExtension;
import org.gradle.api.publish.maven.MavenPublication;
import org.gradle.api.tasks.testing.Test;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** build.gradle says what the poms say: modules, dependencies, tests, publications. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BuildGradleTest {
    private static final Map<String, List<String>> CONFIGURATIONS = Map.of(
            "compile", List.of("api"),
            "runtime", List.of("runtimeOnly"),
            "provided", List.of("compileOnly", "testImplementation"),
            "optional", List.of("compileOnly", "testImplementation"),
            "test", List.of("testImplementation"));

    private final Poms poms = Poms.read(Path.of(System.getProperty("project.root")));
    private GradleBuild gradle;

    @BeforeAll
    void evaluate() throws Exception {
        gradle = GradleBuild.evaluate(poms.root());
    }

    List<Model> modules() {
        return poms.modules();
    }

    List<Model> publishedModules() {
        return poms.modules().stream().filter(poms::isDeployed).toList();
    }

    @org.junit.jupiter.api.Test
    void modulesAreThoseOfMaven() {
        assertThat(gradle.projects().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        poms.modules().stream().map(Model::getArtifactId).toList());
    }

    @ParameterizedTest
    @MethodSource("modules")
    void coordinatesAndJavaReleaseAreThoseOfThePom(Model pom) {
        Project project = gradle.project(pom.getArtifactId());

        assertThat(project.getGroup()).isEqualTo(poms.parent().getGroupId());
        assertThat(project.getVersion()).isEqualTo(poms.parent().getVersion());
        assertThat(project.getDescription()).isEqualTo(pom.getDescription());
        assertThat(project.getTasks()
                        .withType(org.gradle.api.tasks.compile.JavaCompile.class)
                        .getByName("compileJava")
                        .getOptions()
                        .getRelease()
                        .get())
                .isEqualTo(Integer.parseInt(poms.parent().getProperties().getProperty("maven.compiler.release")));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void dependenciesAreThoseOfThePom(Model pom) {
        Map<String, Set<String>> expected = new TreeMap<>();
        for (Dependency dependency : poms.dependencies(pom)) {
            for (String configuration : CONFIGURATIONS.get(poms.scope(dependency))) {
                expected.computeIfAbsent(configuration, any -> new TreeSet<>()).add(poms.notation(pom, dependency));
            }
        }
        // Gradle asks for the launcher by name; surefire brings it.
        expected.computeIfAbsent("testRuntimeOnly", any -> new TreeSet<>())
                .add("org.junit.platform:junit-platform-launcher:");

        Map<String, Set<String>> found = new TreeMap<>();
        gradle.project(pom.getArtifactId())
                .getConfigurations()
                .forEach(configuration -> configuration
                        .getDependencies()
                        .withType(ModuleDependency.class)
                        .matching(dependency -> !isPlatform(dependency))
                        .forEach(dependency -> found.computeIfAbsent(configuration.getName(), any -> new TreeSet<>())
                                .add(notation(dependency))));

        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void importedManagementIsAPlatform(Model pom) {
        Set<String> expected = poms.parent().getDependencyManagement().getDependencies().stream()
                .filter(dependency -> "import".equals(dependency.getScope()))
                .map(dependency -> poms.notation(pom, dependency))
                .collect(toCollection(TreeSet::new));

        Set<String> found = new TreeSet<>();
        gradle.project(pom.getArtifactId())
                .getConfigurations()
                .forEach(configuration -> configuration
                        .getDependencies()
                        .withType(ExternalModuleDependency.class)
                        .matching(BuildGradleTest::isPlatform)
                        .forEach(dependency -> found.add(notation(dependency))));

        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void testsRunAsSurefireRunsThem(Model pom) {
        Test test = (Test) gradle.project(pom.getArtifactId()).getTasks().getByName("test");
        Xpp3Dom surefire = poms.surefire(pom);

        Map<String, String> expected = new TreeMap<>();
        Xpp3Dom variables = surefire.getChild("systemPropertyVariables");
        for (Xpp3Dom variable : variables == null ? new Xpp3Dom[0] : variables.getChildren()) {
            expected.put(variable.getName(), poms.interpolate(pom, variable.getValue(), gradle.buildFolder(pom)));
        }
        Map<String, String> found = new TreeMap<>();
        test.getSystemProperties().forEach((name, value) -> found.put(name, value.toString()));
        assertThat(found).isEqualTo(expected);

        Xpp3Dom arguments = surefire.getChild("argLine");
        List<String> options = arguments == null
                ? List.of()
                : List.of(poms.interpolate(pom, arguments.getValue(), gradle.buildFolder(pom))
                        .split("\\s+"));
        assertThat(test.getAllJvmArgs()).containsAll(options);
    }

    @org.junit.jupiter.api.Test
    void whatMavenDeploysIsPublished() {
        List<String> published = gradle.projects().values().stream()
                .filter(project -> project.getExtensions().findByType(PublishingExtension.class) != null)
                .map(Project::getName)
                .toList();

        assertThat(published)
                .containsExactlyInAnyOrderElementsOf(
                        publishedModules().stream().map(Model::getArtifactId).toList())
                .contains("flink-agents-native", "flink-agents-native-flink");
    }

    @ParameterizedTest
    @MethodSource("publishedModules")
    void publishedFilesAreThoseOfMaven(Model pom) {
        Set<String> found = gradle.publication(pom.getArtifactId()).getArtifacts().stream()
                .map(artifact -> String.valueOf(artifact.getClassifier()) + "." + artifact.getExtension())
                .collect(toCollection(TreeSet::new));

        Set<String> expected = new TreeSet<>(List.of("null.jar", "sources.jar", "javadoc.jar"));
        if (pom.getArtifactId().equals("flink-agents-native")) {
            expected.add(System.getProperty("os.detected.classifier") + ".jar");
        }
        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("publishedModules")
    void publishedPomSaysWhatThePomSays(Model pom) throws Exception {
        MavenPublication publication = gradle.publication(pom.getArtifactId());
        Model published = gradle.publishedPom(publication);

        assertThat(publication.getGroupId()).isEqualTo(poms.parent().getGroupId());
        assertThat(publication.getArtifactId()).isEqualTo(pom.getArtifactId());
        assertThat(publication.getVersion()).isEqualTo(poms.parent().getVersion());
        assertThat(published.getName()).isEqualTo(pom.getName());
        assertThat(published.getDescription()).isEqualTo(pom.getDescription());
        assertThat(published.getLicenses())
                .extracting(License::getName, License::getUrl)
                .containsExactlyElementsOf(poms.parent().getLicenses().stream()
                        .map(license -> tuple(license.getName(), license.getUrl()))
                        .toList());
        assertThat(scoped(pom, published.getDependencies(), "optional"))
                .isEqualTo(scoped(pom, poms.dependencies(pom), "optional"));
    }

    @ParameterizedTest
    @MethodSource("publishedModules")
    void usersGetTheDependenciesThatMavenGivesThem(Model pom) {
        Project project = gradle.project(pom.getArtifactId());
        Map.of("apiElements", "compile", "runtimeElements", "compile runtime").forEach((variant, scopes) -> {
            Set<String> found = new TreeSet<>();
            for (ModuleDependency dependency : project.getConfigurations()
                    .getByName(variant)
                    .getAllDependencies()
                    .withType(ModuleDependency.class)) {
                if (!isPlatform(dependency)) {
                    found.add(notation(dependency));
                }
            }
            assertThat(found).as(variant).isEqualTo(scoped(pom, poms.dependencies(pom), scopes.split(" ")));
        });
    }

    private Set<String> scoped(Model pom, List<Dependency> dependencies, String... scopes) {
        return dependencies.stream()
                .filter(dependency -> Set.of(scopes).contains(poms.scope(dependency)))
                .map(dependency -> poms.notation(pom, dependency))
                .collect(toCollection(TreeSet::new));
    }

    @org.junit.jupiter.api.Test
    void nativeJarHoldsTheLibraryThatCargoBuilds() throws Exception {
        Project core = gradle.project("flink-agents-native");
        List<String> dependencies = new ArrayList<>();
        collect(core.getTasks().getByName("nativeJar"), dependencies);

        assertThat(dependencies).contains("copyNativeLibrary", "cargoBuild");
        assertThat(core.getTasks()
                        .getByName("cargoBuild")
                        .getOutputs()
                        .getFiles()
                        .getFiles())
                .extracting(File::getName)
                .hasSize(1)
                .allMatch(name -> name.contains("flink_agents_native"));
    }

    private static void collect(Task task, List<String> names) {
        for (Task dependency : task.getTaskDependencies().getDependencies(task)) {
            names.add(dependency.getName());
            collect(dependency, names);
        }
    }

    private static boolean isPlatform(ModuleDependency dependency) {
        return dependency.getAttributes().keySet().stream()
                .anyMatch(attribute -> attribute.getName().equals("org.gradle.category"));
    }

    private static String notation(ModuleDependency dependency) {
        if (dependency instanceof ProjectDependency) {
            String classifier = dependency.getTargetConfiguration() == null ? "" : ":native";
            return dependency.getGroup() + ":" + dependency.getName() + ":" + dependency.getVersion() + classifier;
        }
        String version = dependency.getVersion() == null ? "" : dependency.getVersion();
        String exclusions = dependency.getExcludeRules().stream()
                .map(rule -> " -" + rule.getGroup() + ":" + (rule.getModule() == null ? "*" : rule.getModule()))
                .sorted()
                .reduce("", String::concat);
        return dependency.getGroup() + ":" + dependency.getName() + ":" + version + exclusions;
    }
}
