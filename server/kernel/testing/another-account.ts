/** Runs as an account that may read only what everyone may: root, under which tests also run, may read everything. */
export const asAnotherAccount = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
};
