/** Whether an error of the file system says that the file or folder does not exist. */
export const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** For `catch`: the value that stands for a file or folder that does not exist. Other errors are thrown again. */
export const ifAbsent =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (isAbsent(error)) return value;
    throw error;
  };
