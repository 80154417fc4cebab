import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultsOfLicenses, librariesIn } from '#harness/library-licenses.ts';
import { programsFolder } from '../../build/bundle.ts';
import { librariesFile } from '../../build/package/library-licenses.ts';

const namesIn = (text: string) => librariesIn(text).map(({ name }) => name);

// Guarantee: no library whose license forbids it ships to customers, and the licenses of the libraries ship along: for the
// API, the bot, the agent, the desktop and the panel.
test('the libraries of an installation', async () => {
  const text = await readFile(join(programsFolder, librariesFile), 'utf8');
  expect(faultsOfLicenses(text)).toEqual([]);
  expect(namesIn(text)).toEqual(expect.arrayContaining(['express', 'discord.js', 'ws', 'yazl', 'react']));
  expect(text).toContain('Copyright (c) 2009-2014 TJ Holowaychuk');
  expect(text).toContain('Copyright (c) Meta Platforms, Inc. and affiliates.');
  expect(namesIn(text)).not.toContain('nodemailer');
});

// Guarantee: the agent, which is copied as a single file, carries the licenses of its own libraries and of no others.
test('the libraries of the agent', async () => {
  const program = await readFile(join(programsFolder, 'agent.mjs'), 'utf8');
  const text = program.slice(program.lastIndexOf('\n/*\n'));
  expect(faultsOfLicenses(text)).toEqual([]);
  expect(namesIn(text)).toEqual(expect.arrayContaining(['pino', 'ws', 'zod']));
  expect(namesIn(text)).not.toContain('express');
  expect(text).toContain('Copyright (c) 2011 Einar Otto Stangvik');
});

// Guarantee: these tests detect what they look for.
test('a license that does not fit', () => {
  const head = 'a 1.0.0: MIT\nb 2.0.0: GPL-3.0-only; it comes without a text, from b\nc 1.0.0: not named\n';
  expect(faultsOfLicenses(`${head}\n${'-'.repeat(80)}\n\nd 1.0.0: none\n`)).toEqual([
    'b: GPL-3.0-only',
    'c: not named',
  ]);
});
