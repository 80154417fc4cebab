import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { printableLines } from '#runtime/printable.ts';
import { CancelledError, type Questions } from './questions.ts';

/** Asks in a terminal until disposed; a closed one answers with CancelledError. */
export const openTerminalQuestions = ({
  input,
  output,
}: {
  readonly input: Readable;
  readonly output: Writable;
}): Questions & Disposable => {
  let isHidden = false;
  // Readline echoes typed text through this stream.
  const shown = new Writable({
    write(chunk, _encoding, done) {
      if (isHidden) done();
      else output.write(chunk, () => done());
    },
  });
  const lines = createInterface({ input, output: shown, terminal: true, historySize: 0 });
  let cancel: (() => void) | null = null;
  let isEnded = false;
  const end = () => {
    isEnded = true;
    cancel?.();
  };
  lines.on('SIGINT', end);
  lines.on('close', end);

  const say = (text: string) => void output.write(`${printableLines(text)}\n`);
  const ask = (question: string, hidden = false): Promise<string> =>
    new Promise((resolve, reject) => {
      cancel = () => {
        isHidden = false;
        output.write('\n');
        reject(new CancelledError('cancelled'));
      };
      if (isEnded) return cancel();
      output.write(printableLines(question));
      isHidden = hidden;
      // If readline had its own question, it would overwrite ours when the line is edited.
      lines.setPrompt(hidden ? '' : printableLines(question.slice(question.lastIndexOf('\n') + 1)));
      lines.once('line', (line) => {
        cancel = null;
        if (hidden) output.write('\n');
        isHidden = false;
        resolve(line);
      });
    });

  return {
    isAsked: true,
    say,
    async choose(question, options, usual) {
      say(`\n${question}`);
      options.forEach((option, index) => {
        say(`  ${index + 1}  ${option.replaceAll('\n', '\n     ')}`);
      });
      for (;;) {
        const answer = (await ask(`Number [${usual + 1}]: `)).trim();
        const index = answer === '' ? usual : Number(answer) - 1;
        if (Number.isInteger(index) && index >= 0 && index < options.length) return index;
        say(`Enter a number from 1 to ${options.length}.`);
      }
    },
    async confirm(question, usual) {
      for (;;) {
        const answer = (await ask(`${question} [${usual ? 'Y/n' : 'y/N'}]: `)).trim().toLowerCase();
        if (answer === '') return usual;
        if (/^(?:y|yes|s|sim)$/.test(answer)) return true;
        if (/^(?:n|no|não|nao)$/.test(answer)) return false;
        say('Enter y or n.');
      }
    },
    async text(question, usual, faultOf) {
      for (;;) {
        const answer = (await ask(`${question}${usual === '' ? '' : ` [${usual}]`}: `)).trim() || usual;
        const fault = faultOf(answer);
        if (fault === null) return answer;
        say(fault);
      }
    },
    secret: (question) => ask(`${question} (not shown): `, true),
    [Symbol.dispose]: () => lines.close(),
  };
};
