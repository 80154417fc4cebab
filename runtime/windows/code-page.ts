import { type RunSystemProgram, runSystemProgram } from './system-program.ts';

/** The code pages that Windows can be set to (its "language for non-Unicode programs"), by their TextDecoder names. */
export const codePageLabels: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1250: 'windows-1250',
  1251: 'windows-1251',
  1252: 'windows-1252',
  1253: 'windows-1253',
  1254: 'windows-1254',
  1255: 'windows-1255',
  1256: 'windows-1256',
  1257: 'windows-1257',
  1258: 'windows-1258',
};

/** UTF-8, which has every letter. */
export const utf8CodePage = 65_001;

const key = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage';

/** The code page of this Windows for programs without Unicode; null when it cannot be asked. */
export const readCodePage = async (run: RunSystemProgram = runSystemProgram): Promise<number | null> => {
  const printed = await run('reg.exe', ['query', key, '/v', 'ACP']).catch(() => '');
  const number = /REG_SZ\s+(\d+)/.exec(printed)?.[1];
  return number === undefined ? null : Number(number);
};
