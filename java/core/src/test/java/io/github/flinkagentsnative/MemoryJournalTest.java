package io.github.flinkagentsnative;

/** The journal in memory. */
class MemoryJournalTest extends JournalContract {

    private final Journal journal = new MemoryJournal(clock);

    @Override
    Journal journal() {
        return journal;
    }
}
