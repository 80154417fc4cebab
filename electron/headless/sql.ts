import { text } from 'node:stream/consumers';
import { Client, DatabaseError, type QueryArrayConfig, type QueryArrayResult } from 'pg';
import { operatorRole } from '#contracts/kernel/product.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import { printable } from '#runtime/printable.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';
import { readOperatorPassword } from '../stack/operator-role.ts';
import type { CommandContext, JsonOption } from './command-context.ts';
import { CommandFailure, notRunning } from './exit-codes.ts';
import { readInstallation } from './installation.ts';
import { table } from './terminal.ts';

const statementTimeoutMs = 30_000;
const connectTimeoutMs = 5000;

/**
 * `castellan sql`: one statement as the limited operator role. Its audit row commits with it or not at all.
 * @param statement read from stdin when absent
 */
export const sql = async (
  { home, terminal }: CommandContext,
  statement: string | undefined,
  { json = false }: JsonOption,
): Promise<void> => {
  const asked = (statement ?? (await text(process.stdin))).trim();
  if (asked === '') throw new CommandFailure('Pass a statement as an argument or on stdin.', 2);
  const client = await connect(home, json);
  try {
    const result = await runAudited(client, asked);
    terminal.say(json ? JSON.stringify(asObjects(result), null, 2) : asTable(result));
  } catch (error) {
    if (error instanceof DatabaseError) throw new CommandFailure(describeError(error));
    throw error;
  } finally {
    await client.end();
  }
};

/** People get values as Postgres writes them; programs get numbers as numbers. */
const rawTypes = { getTypeParser: () => (value: string) => value };

const connect = async (home: string, json: boolean): Promise<Client> => {
  const config = await readInstallation(home);
  const { port, database } = readDatabaseUrl(config.databaseUrl);
  const password = await readOperatorPassword(home).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? notRunning(home) : error;
  });
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: operatorRole,
    password: password.reveal(),
    database,
    application_name: 'castellan sql',
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(json ? {} : { types: rawTypes }),
  });
  try {
    await client.connect();
  } catch (error) {
    throw isDatabaseAway(error) ? notRunning(home) : error;
  }
  return client;
};

/** The tags of statements that would take the audit row with them, or let what follows escape it. */
const endsTransaction: ReadonlySet<string> = new Set(['COMMIT', 'ROLLBACK']);

const runAudited = async (client: Client, statement: string): Promise<QueryArrayResult> => {
  await client.query('begin');
  await audit(client, statement);
  // The extended protocol accepts one statement; a second one after a semicolon is refused.
  const query: QueryArrayConfig & { queryMode: 'extended' } = {
    text: statement,
    rowMode: 'array',
    queryMode: 'extended',
  };
  const result = await client.query(query);
  if (endsTransaction.has(result.command))
    throw new CommandFailure(`${result.command} is not possible: each statement is its own transaction.`);
  await client.query('commit');
  return result;
};

/** Undefined function, and insufficient privilege: the API makes the function, and a moment later grants it. */
const unprepared: ReadonlySet<string | undefined> = new Set(['42883', '42501']);

const audit = async (client: Client, statement: string): Promise<void> => {
  try {
    await client.query('select public.castellan_audit_sql($1)', [statement]);
  } catch (error) {
    if (!unprepared.has((error as DatabaseError).code)) throw error;
    throw new CommandFailure('The API has not prepared the database yet. See: castellan status');
  }
};

const describeError = ({ message, detail, hint }: DatabaseError): string =>
  [message, detail, hint && `Hint: ${hint}`].filter(Boolean).join('\n');

const asObjects = ({ command, rowCount, fields, rows }: QueryArrayResult) => ({
  command,
  rowCount,
  rows: rows.map((row) => Object.fromEntries(fields.map(({ name }, column) => [name, row[column]]))),
});

const asTable = ({ command, rowCount, fields, rows }: QueryArrayResult): string => {
  const counted = `${rowCount ?? 0} row${rowCount === 1 ? '' : 's'}`;
  if (fields.length === 0) return `${command}: ${counted}`;
  const cells = rows.map((row) => row.map((value) => (value === null ? 'null' : printable(String(value)))));
  return `${table(
    fields.map(({ name }) => printable(name)),
    cells,
  )}\n(${counted})`;
};
