const openedKey = Symbol.for('castellan.opened-for-the-run');
interface Opened {
  readonly value: Promise<AsyncDisposable>;
  users: number;
}
type Run = typeof globalThis & { [openedKey]?: Map<string, Opened> };

/**
 * What several projects of a run share: the first set-up opens it, the last one to end disposes it.
 * @returns the value and what gives it back
 */
export const onceARun = async <Value extends AsyncDisposable>(
  name: string,
  open: () => Promise<Value>,
): Promise<{ readonly value: Value; release(): Promise<void> }> => {
  // Each project loads its set-up files separately.
  const run = globalThis as Run;
  run[openedKey] ??= new Map();
  const all = run[openedKey];
  const opened = all.get(name) ?? { value: open(), users: 0 };
  all.set(name, opened);
  opened.users += 1;
  const value = (await opened.value) as Value;
  return {
    value,
    async release() {
      opened.users -= 1;
      if (opened.users > 0) return;
      all.delete(name);
      await value[Symbol.asyncDispose]();
    },
  };
};
