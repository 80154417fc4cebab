interface Version {
  readonly numbers: readonly number[];
  /** The pre-release part; empty for a release, which is newer than its pre-releases. */
  readonly early: string;
}

const parse = (text: string): Version => {
  const [whole = '', ...early] = (text.split('+')[0] ?? '').split('-');
  return { numbers: whole.split('.').map((part) => Number(part) || 0), early: early.join('-') };
};

/** Whether one version is newer than another, as 1.10.0 is newer than 1.9.2, and 1.0.0 is newer than 1.0.0-beta.2. */
export const isNewer = (version: string, than: string): boolean => {
  const [a, b] = [parse(version), parse(than)];
  for (let at = 0; at < Math.max(a.numbers.length, b.numbers.length); at += 1) {
    const difference = (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  if (a.early === '' || b.early === '') return a.early === '' && b.early !== '';
  return a.early.localeCompare(b.early, 'en', { numeric: true }) > 0;
};
