import { isolated } from '#contracts/kernel/isolated.ts';
import { defineWords } from '#contracts/kernel/words.ts';

/** The words that the pages of players and members share. */
export const peopleWords = defineWords(
  {
    sections: 'Sections',
    wallet: 'Wallet',
    points: (count: number) => (count === 1 ? 'point' : 'points'),
    on: (server: string, time: string) => `On ${isolated(server)}, ${time}`,
    justJoined: (server: string) => `Just joined ${isolated(server)}`,
    lastKnownOn: (server: string) => `Last seen on ${isolated(server)}`,
    offline: 'Offline',
    banned: 'Banned',
  },
  {
    sections: 'Seções',
    wallet: 'Carteira',
    points: (count) => (count === 1 ? 'ponto' : 'pontos'),
    on: (server, time) => `Em ${isolated(server)}, ${time}`,
    justJoined: (server) => `Entrou agora em ${isolated(server)}`,
    lastKnownOn: (server) => `Visto por último em ${isolated(server)}`,
    offline: 'Offline',
    banned: 'Banido',
  },
);
