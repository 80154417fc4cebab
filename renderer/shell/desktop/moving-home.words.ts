import { defineWords } from '#contracts/kernel/words.ts';

export const movingHomeWords = defineWords(
  {
    title: 'Moving the data folder',
    steps: {
      stop: 'Stopping Castellan …',
      copy: 'Copying …',
      verify: 'Verifying the copy …',
      start: 'Starting again …',
    },
    to: (folder: string) => `To ${folder}`,
    done: (bytes: string, allBytes: string, files: string, allFiles: string) =>
      `${bytes} of ${allBytes}, ${files} of ${allFiles} files`,
    text: 'The old folder stays unchanged, so nothing is lost if this is interrupted.',
    cancel: 'Cancel',
  },
  {
    title: 'Movendo a pasta de dados',
    steps: {
      stop: 'Parando o Castellan …',
      copy: 'Copiando …',
      verify: 'Conferindo a cópia …',
      start: 'Iniciando de novo …',
    },
    to: (folder: string) => `Para ${folder}`,
    done: (bytes: string, allBytes: string, files: string, allFiles: string) =>
      `${bytes} de ${allBytes}, ${files} de ${allFiles} arquivos`,
    text: 'A pasta antiga não é alterada, então nada se perde se isto for interrompido.',
    cancel: 'Cancelar',
  },
);
