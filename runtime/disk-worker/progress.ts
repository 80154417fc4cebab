let listener = (): void => undefined;

/** Says that work on files goes on: after each entry of a folder and each chunk of a file. Only a disk worker listens. */
export const reportProgress = (): void => listener();

export const onProgress = (report: () => void): void => {
  listener = report;
};
