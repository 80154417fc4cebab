import { defineWords } from '../language/define-words.ts';

export const movingHomeWords = defineWords(
  {
    title: 'The data folder is being moved',
    steps: {
      stop: 'Everything is being stopped, the database in order …',
      copy: 'Copying …',
      verify: 'Reading the copy back, to be sure that it is right …',
      start: 'Starting again …',
    },
    to: (folder: string) => `To ${folder}`,
    done: (bytes: string, allBytes: string, files: string, allFiles: string) =>
      `${bytes} of ${allBytes}, ${files} of ${allFiles} files`,
    text: 'The old folder stays as it is. Whatever interrupts this, nothing is lost.',
    cancel: 'Call it off',
  },
  {
    title: 'A pasta de dados está sendo movida',
    steps: {
      stop: 'Tudo está sendo parado, o banco de dados em ordem …',
      copy: 'Copiando …',
      verify: 'Lendo a cópia de volta, para ter certeza de que está certa …',
      start: 'Iniciando de novo …',
    },
    to: (folder: string) => `Para ${folder}`,
    done: (bytes: string, allBytes: string, files: string, allFiles: string) =>
      `${bytes} de ${allBytes}, ${files} de ${allFiles} arquivos`,
    text: 'A pasta antiga fica como está. O que quer que interrompa isto, nada se perde.',
    cancel: 'Desistir',
  },
);
