package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** A journal that encrypts the records of another one, as docs/journal.md shows it. */
class WrappedJournalTest extends JournalContract {

    private final MemoryJournal inner = new MemoryJournal(clock);
    private final Journal journal = new EncryptedJournal(inner, new AesGcm());

    @Override
    Journal journal() {
        return journal;
    }

    @Test
    void the_inner_journal_sees_no_plain_bytes() {
        append(run, 1);
        assertThat(new String(inner.read(run).get(0).bytes())).doesNotContain("record 0");
    }

    record EncryptedJournal(Journal inner, Cipher cipher) implements Journal {
        interface Cipher {
            byte[] encrypt(byte[] bytes);

            byte[] decrypt(byte[] bytes);
        }

        @Override
        public List<JournalRecord> read(UUID run) {
            return inner.read(run).stream()
                    .map(r -> new JournalRecord(r.key(), cipher.decrypt(r.bytes())))
                    .toList();
        }

        @Override
        public void append(UUID run, int position, JournalRecord record) {
            Objects.requireNonNull(record, "record");
            inner.append(run, position, new JournalRecord(record.key(), cipher.encrypt(record.bytes())));
        }

        @Override
        public void discard(UUID run, int fromPosition) {
            inner.discard(run, fromPosition);
        }

        @Override
        public void forget(UUID run) {
            inner.forget(run);
        }

        @Override
        public int purge(Instant before) {
            return inner.purge(before);
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    private static final class AesGcm implements EncryptedJournal.Cipher {
        private static final int NONCE = 12;
        private final SecretKeySpec key = new SecretKeySpec(new byte[32], "AES");

        @Override
        public byte[] encrypt(byte[] bytes) {
            byte[] nonce = new byte[NONCE];
            new SecureRandom().nextBytes(nonce);
            byte[] sealed = run(javax.crypto.Cipher.ENCRYPT_MODE, nonce, bytes);
            byte[] all = Arrays.copyOf(nonce, NONCE + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE, sealed.length);
            return all;
        }

        @Override
        public byte[] decrypt(byte[] all) {
            return run(
                    javax.crypto.Cipher.DECRYPT_MODE,
                    Arrays.copyOf(all, NONCE),
                    Arrays.copyOfRange(all, NONCE, all.length));
        }

        private byte[] run(int mode, byte[] nonce, byte[] bytes) {
            try {
                javax.crypto.Cipher aes = javax.crypto.Cipher.getInstance("AES/GCM/NoPadding");
                aes.init(mode, key, new GCMParameterSpec(128, nonce));
                return aes.doFinal(bytes);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
