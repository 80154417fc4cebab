import type { ArchiveFault } from '../archive.ts';
import { file, good, type HostileZip, whole } from './hostile-zip.ts';
import { zipByBytes } from './zip-by-bytes.ts';

/** With a good file before and after it, so that half of the archive could be written. */
const named = (what: string, fault: ArchiveFault, ...names: readonly (string | Buffer)[]): HostileZip => ({
  name: what,
  fault,
  bytes: () => zipByBytes([good, ...names.map((name) => file(name)), file('mods/last.jar')]),
});

const paths: readonly HostileZip[] = [
  named('a path out of the folder', 'path-outside', '../evil.jar'),
  named('a path out of the folder further in', 'path-outside', 'mods/../../evil.jar'),
  named('a path that comes back to the folder', 'path-outside', 'mods/../good.jar'),
  named('a path out of the folder with backslashes', 'path-outside', '..\\..\\evil.jar'),
  named('a path out of the folder with both slashes', 'path-outside', 'mods/..\\../evil.jar'),
  named('two dots alone', 'path-outside', '..'),
  named('two dots as a folder', 'path-outside', 'mods/../'),
  named('two dots and a space, which Windows drops', 'path-outside', 'mods/.. /.. /evil.jar'),
  named('three dots, which Windows drops', 'path-outside', 'mods/.../evil.jar'),
  named('an absolute path', 'path-absolute', '/etc/cron.d/evil'),
  named('an absolute path with a backslash', 'path-absolute', '\\Windows\\evil.dll'),
  named('a drive', 'path-absolute', 'C:/Windows/evil.dll'),
  named('a drive with a backslash', 'path-absolute', 'c:\\evil.dll'),
  named('a drive without a slash', 'path-absolute', 'C:evil.dll'),
  named('a share', 'path-absolute', '\\\\server\\share\\evil.dll'),
  named('a share with slashes', 'path-absolute', '//server/share/evil.dll'),
  named('a device path of Windows', 'path-absolute', '\\\\?\\C:\\evil.dll'),
  named('a stream of another file', 'path-name', 'mods/good.jar:evil'),
  named('a stream by its type', 'path-name', 'mods/other.jar::$DATA'),
  named('an empty name', 'path-name', ''),
  named('an empty name within a path', 'path-name', 'mods//evil.jar'),
  named('a dot within a path', 'path-name', 'mods/./evil.jar'),
  named('a NUL', 'path-name', 'mods/evil.jar\0.txt'),
  named('a line break', 'path-name', 'mods/evil\n.jar'),
  named('an escape sequence', 'path-name', 'mods/\u001b[2Jevil.jar'),
  named('a C1 control character', 'path-name', 'mods/\u009bevil.jar'),
  named('a name with a question mark', 'path-name', 'mods/evil?.jar'),
  named('a name with a star', 'path-name', 'mods/*.jar'),
  named('a name with a pipe', 'path-name', 'mods/evil|calc'),
  named('a name with quotes', 'path-name', 'mods/"evil".jar'),
  named('a name with a dot at its end', 'path-name', 'mods/evil.jar.'),
  named('a name with a space at its end', 'path-name', 'mods/evil.jar '),
  named('a folder with a space at its end', 'path-name', 'mods /evil.jar'),
  named('UTF-8 that is none', 'path-name', Buffer.from([0x6d, 0xff, 0xfe, 0x2f, 0x78])),
  named('dots in overlong UTF-8', 'path-name', Buffer.from([0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x78])),
  named('a name longer than file systems take', 'path-too-long', `mods/${'e'.repeat(230)}${'ü'.repeat(20)}`),
  named('a path longer than the limit', 'path-too-long', `mods/${'deep/'.repeat(60)}evil.jar`),
  named('10,000 folders in each other', 'path-too-long', `${'a/'.repeat(10_000)}evil.jar`),
];

const devices: readonly HostileZip[] = [
  'con',
  'PRN.txt',
  'mods/aux.jar',
  'nul',
  'mods/NUL.tar.gz',
  'com1',
  'mods/COM9.jar',
  'lpt1.log',
  'mods/com¹.jar',
  'LPT³',
  'conin$',
  'CONOUT$.txt',
  'mods/aux .jar',
  'con/evil.jar',
].map((name) => named(`the device ${name}`, 'path-name', name));

const collisions: readonly HostileZip[] = [
  named('the same file twice', 'duplicate', 'mods/evil.jar', 'mods/evil.jar'),
  named('the same file twice, once with backslashes', 'duplicate', 'mods/evil.jar', 'mods\\evil.jar'),
  named('the same file twice, once behind a dot', 'duplicate', 'mods/evil.jar', './mods/evil.jar'),
  named('files that differ in case', 'case-collision', 'mods/Evil.jar', 'mods/evil.jar'),
  named('files that differ in case beyond ASCII', 'case-collision', 'mods/ÜBER.jar', 'mods/über.jar'),
  named('folders that differ in case', 'case-collision', 'mods/one.jar', 'Mods/two.jar'),
  named(
    'files that differ in Unicode normalization',
    'case-collision',
    'mods/\u00fc.jar',
    'mods/u\u0308.jar',
  ),
  named('sigmas, of which Windows has one', 'case-collision', 'mods/ς.jar', 'mods/σ.jar'),
  named('a file that is a folder', 'file-and-folder', 'mods/evil', 'mods/evil/inner.jar'),
  named('a folder that is a file', 'file-and-folder', 'mods/evil/inner.jar', 'mods/evil'),
  named('a file that is a folder in another case', 'file-and-folder', 'mods/EVIL', 'mods/evil/inner.jar'),
  whole('a file and an empty folder', 'file-and-folder', () =>
    zipByBytes([good, file('mods/evil'), { name: 'mods/evil/' }]),
  ),
];

/** Names that lead out of the folder, that Windows reads as something else, or that collide. */
export const hostilePaths: readonly HostileZip[] = [...paths, ...devices, ...collisions];
