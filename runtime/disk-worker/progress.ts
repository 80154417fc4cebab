type Listener = (bytes: number) => void;

let listener: Listener = () => undefined;

/**
 * Says that work on files goes on: after each entry of a folder and each chunk of a file. Only a disk worker listens.
 * @param bytes read or copied since the last report
 */
export const reportProgress = (bytes = 0): void => listener(bytes);

export const onProgress = (report: Listener): void => {
  listener = report;
};
