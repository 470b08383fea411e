package io.github.flinkagentsnative;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs work of a journal, each as one transaction on one connection. */
interface JournalTransactions {

    /** What is done in a transaction. An exception undoes it. */
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /** @param writes whether the work changes something, which then is durable on return */
    <T> T run(boolean writes, Work<T> work) throws SQLException;

    /** Ends what was opened here. */
    void close();

    /** On connections of the caller's, which are given back as they were. */
    static JournalTransactions on(DataSource dataSource) {
        return new JournalTransactions() {
            @Override
            public <T> T run(boolean writes, Work<T> work) throws SQLException {
                Connection connection = connect(dataSource);
                try {
                    return onForeignConnection(connection, work);
                } finally {
                    closeQuietly(connection);
                }
            }

            @Override
            public void close() {}
        };
    }

    private static Connection connect(DataSource dataSource) throws SQLException {
        Connection connection;
        try {
            connection = dataSource.getConnection();
        } catch (RuntimeException e) {
            // Pools have exceptions of their own, whose texts can hold the address.
            throw new JournalException("The journal's data source gave no connection: "
                    + e.getClass().getName() + ". Check the data source: address, user, pool.");
        }
        if (connection == null) {
            throw new JournalException("The journal's data source gave null for a connection; mend the data source.");
        }
        return connection;
    }

    private static <T> T onForeignConnection(Connection connection, Work<T> work) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        int isolation = connection.getTransactionIsolation();
        // Waiting for a run's lock must be followed by a look at what the other one wrote.
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        try {
            connection.setAutoCommit(false);
            return commit(connection, work);
        } finally {
            restore(connection, autoCommit, isolation);
        }
    }

    /** Runs the work on a connection without auto-commit, and commits. */
    static <T> T commit(Connection connection, Work<T> work) throws SQLException {
        boolean committed = false;
        try {
            T result = work.run(connection);
            connection.commit();
            committed = true;
            return result;
        } finally {
            if (!committed) {
                rollbackQuietly(connection);
            }
        }
    }

    private static void rollbackQuietly(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            // The connection is broken: the database undoes the transaction by itself.
        }
    }

    private static void restore(Connection connection, boolean autoCommit, int isolation) {
        try {
            connection.setAutoCommit(autoCommit);
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(isolation);
            }
        } catch (SQLException e) {
            // The connection is broken: the transaction is over, and the pool sees by itself.
        }
    }

    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // It was broken, or its owner cannot take it back; the transaction is over.
        }
    }
}
