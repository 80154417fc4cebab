import { expect, test } from 'vitest';
import { languages } from '../language.ts';
import {
  asExitCode,
  processEndText,
  shownCode,
  windowsAnswerText,
  windowsCodes,
  windowsCodeText,
} from './windows-answer.ts';

/** What `sc` is known to answer (winerror.h, 1051 to 1079); gaps are numbers of drives and tapes, or of services that share a process. */
const ofServices = [
  ...[1051, 1052, 1053, 1054, 1055, 1056, 1057, 1058, 1059, 1060, 1061, 1062, 1063, 1064, 1066, 1067, 1068],
  ...[1069, 1070, 1072, 1073, 1075, 1077, 1078, 1079, 5, 2, 3, 87, 1115, 1314, 1326, 1327, 1331, 1332, 1385],
];
/** Of files, rights and what keeps a program from running. */
const ofWindows = [2, 3, 5, 8, 32, 112, 193, 206, 216, 225, 226, 740, 1223, 1260, 1307, 1455, 1722, 4551];
const ofInstallers = [1601, 1602, 1603, 1618, 1625, 1638, 1641, 3010];
const ofProcesses = [
  ...[0xc0000005, 0xc0000017, 0xc000001d, 0xc0000022, 0xc000007b, 0xc00000fd, 0xc000012d, 0xc0000135],
  ...[0xc0000138, 0xc0000139, 0xc000013a, 0xc0000142, 0xc0000374, 0xc0000409, 0xc0000428, 0xc0000906],
];

// Guarantee: each number that Windows is known to answer with has a sentence with a remedy in both languages, and a source.
test('known numbers', () => {
  for (const language of languages) {
    for (const code of ofServices) expect(windowsCodeText(code, language, 'sc'), String(code)).not.toBeNull();
    for (const code of [...ofWindows, ...ofInstallers])
      expect(windowsCodeText(code, language), String(code)).not.toBeNull();
    for (const code of ofProcesses) expect(processEndText(code, language), shownCode(code)).not.toBeNull();
  }
  const seen = windowsCodes.map(({ code, tool }) => `${tool} ${code}`);
  expect(new Set(seen).size).toBe(seen.length);
  for (const { code, en, pt, source } of windowsCodes) {
    expect([en.at(-1), pt.at(-1)], String(code)).toEqual(['.', '.']);
    expect(en).not.toBe(pt);
    expect(source).toMatch(/^https:\/\/\S+|^[\w.-]+\/[\w.-]+#\d+/);
  }
});

// Guarantee: the number and what was asked are always shown; a number without a sentence is shown as well.
test('what was asked', () => {
  expect(windowsAnswerText({ asked: 'sc start Castellan-API', code: 1069 }, 'en')).toMatch(
    /^Windows does not let the account .+ \(Windows answered 1069 to: sc start Castellan-API\)$/,
  );
  expect(windowsAnswerText({ asked: 'sc start Castellan-API', code: 1053 }, 'pt-BR')).toMatch(
    /^O serviço não respondeu .+ \(O Windows respondeu 1053 a: sc start Castellan-API\)$/,
  );
  expect(windowsAnswerText({ asked: 'icacls D:\\data', code: 4242 }, 'en')).toBe(
    'Windows answered 4242 to: icacls D:\\data',
  );
  expect(windowsAnswerText({ asked: 'x', code: 0xc0de0001 }, 'pt-BR')).toBe(
    'O Windows respondeu 0xC0DE0001 a: x',
  );
});

// Guarantee: a number means what the program that answers means by it.
test('one number of several programs', () => {
  expect(windowsCodeText(5, 'en', 'sc')).toContain('Services');
  expect(windowsCodeText(5, 'en', 'icacls')).toContain('denies access');
  expect(windowsCodeText(1, 'en', 'netsh')).toContain('firewall');
  expect(windowsCodeText(1, 'en', 'wmic')).toBeNull();
});

// Guarantee: a negative number and an HRESULT (0x8007….) are read as what they stand for; a program's own exit codes are not.
test('forms of a number', () => {
  expect(shownCode(-1073741515)).toBe('0xC0000135');
  expect(processEndText(-1073741515, 'en')).toBe(processEndText(0xc0000135, 'en'));
  expect(shownCode(asExitCode(225))).toBe('225');
  expect(processEndText(asExitCode(225), 'en')).toBe(windowsCodeText(225, 'en'));
  expect(windowsCodeText(-2147024891, 'en')).toBe(windowsCodeText(5, 'en'));
  for (const own of [0, 1, 2, 5, 128, 225]) expect(processEndText(own, 'en')).toBeNull();
});
