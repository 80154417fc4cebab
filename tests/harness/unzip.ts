import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Verifies every entry while reading it. */
const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    json.dump({name: archive.read(name).decode('utf-8', 'replace') for name in archive.namelist()}, sys.stdout)
`;

/** The files of a .zip by name, as an independent reader finds them. */
export const unzip = async (path: string): Promise<Readonly<Record<string, string>>> => {
  const { stdout } = await run('python3', ['-c', script, path], { maxBuffer: 256 * 2 ** 20 });
  return JSON.parse(stdout);
};
