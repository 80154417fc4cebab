import type { WindowsLab } from './lab.ts';

const control = 'HKLM\\SYSTEM\\CurrentControlSet';

/** Adds what Wine's sc omits for `start= delayed-auto`, with a shorter delay than Windows's two minutes. */
export const completeDelayedStart = async (lab: WindowsLab, services: readonly string[]): Promise<void> => {
  const set = async (key: string, name: string, value: string) => {
    const { code, out, err } = await lab.run('reg.exe', [
      'add',
      key,
      '/v',
      name,
      '/t',
      'REG_DWORD',
      '/d',
      value,
      '/f',
    ]);
    if (code !== 0) throw new Error(`reg ended with ${code}: ${err}${out}`);
  };
  for (const service of services) {
    await set(`${control}\\Services\\${service}`, 'Start', '2');
    await set(`${control}\\Services\\${service}`, 'DelayedAutostart', '1');
  }
  await set(`${control}\\Control`, 'AutoStartDelay', '4000');
};
