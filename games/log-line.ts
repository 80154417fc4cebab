import { plainText } from './reply-reading.ts';

/** In characters; a longer line was made to be expensive. */
const longestLine = 4000;

/** Characters that some programs take for the end of a line; within one they are text that someone typed. */
const separators = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]/gu;

const terminalCodes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told begins with one
  /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()][0-9A-B]|[=>])/g;
/** The prompt of a console that the line was written over. */
const prompt = /^(?:> ?)+(?=\[)/;
/**
 * What containers and their tools write before each line: `docker logs -t`, Kubernetes, Docker Compose
 * (docs.docker.com/reference/cli/docker/container/logs, kubernetes.io/docs/concepts/cluster-administration/logging), and
 * `journalctl` with its formats `short` and `short-iso`.
 */
const containerStart =
  /^(?:(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,6})?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:?\d\d)) [\w.-]{1,64} [\w.@/-]{1,64}\[\d{1,10}\]: )?(?:[\w.-]{1,60}-?\d* +\| )?(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?)?(?=\S)/;

/** A line of a game's log without colours and line end, separators as spaces; null when it is too long to be read. */
export const plainLogLine = (line: string): string | null =>
  line.length > longestLine
    ? null
    : plainText(line.replace(terminalCodes, ''))
        .replace(separators, ' ')
        .replace(prompt, '')
        .replace(containerStart, '');
