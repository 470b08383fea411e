/**
 * Names and shapes of Flink Agents' API (0.4 line), written for this project to compile and test against. In a job the classes of
 * {@code org.apache.flink:flink-agents-api} stand in their place; no artifact of this project holds a class of this package. Events and {@code Tool.fromMethod}
 * are left out: nothing here needs them.
 */
package org.apache.flink.agents.api;
