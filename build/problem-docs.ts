import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { problemCodes, problems } from '#contracts/kernel/problems.ts';

export const problemDocsFile = resolve(import.meta.dirname, '../docs/problems.md');

/** The page on all problem codes, generated from the registry. */
export const problemDocs = (): string => {
  const sections = problemCodes.map((code) => {
    const { status, title, meaning, remedy } = problems[code];
    return `## ${code}\n\n**${status}** ${title}\n\n${meaning}\n\n_What to do:_ ${remedy}\n`;
  });
  return `# Problem codes

Every refusal is a problem document (RFC 9457, \`application/problem+json\`) whose \`code\` is one of these; \`instance\` is
the request id, which also stands in the log. Two answers carry no code: 400 and 429 of the portal's license endpoints.
Made by \`node build/problem-docs.ts\` from \`contracts/kernel/problems.ts\`.

${sections.join('\n')}`;
};

if (import.meta.main) await writeFile(problemDocsFile, problemDocs());
