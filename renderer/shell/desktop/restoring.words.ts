import { defineWords } from '#contracts/kernel/words.ts';

export const restoringWords = defineWords(
  {
    titles: { restore: 'Restoring a backup', back: 'Going back to before the restore' },
    steps: {
      stop: 'Stopping Castellan …',
      check: 'Comparing the backup with its checksums …',
      copy: 'Copying the backup …',
      test: 'Starting the copy and reading all of it …',
      swap: 'Replacing the data …',
      start: 'Starting again …',
    },
    done: (bytes: string, allBytes: string) => `${bytes} of ${allBytes}`,
    text: 'What was there is kept. If this is interrupted, the next start finishes it or leaves your data unchanged.',
    cancel: 'Cancel',
  },
  {
    titles: { restore: 'Restaurando um backup', back: 'Voltando a antes da restauração' },
    steps: {
      stop: 'Parando o Castellan …',
      check: 'Comparando o backup com suas somas de verificação …',
      copy: 'Copiando o backup …',
      test: 'Iniciando a cópia e lendo tudo …',
      swap: 'Substituindo os dados …',
      start: 'Iniciando de novo …',
    },
    done: (bytes: string, allBytes: string) => `${bytes} de ${allBytes}`,
    text: 'O que havia é guardado. Se isto for interrompido, o próximo início termina a restauração ou deixa tudo como estava.',
    cancel: 'Cancelar',
  },
);
