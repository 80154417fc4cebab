import { defineWords } from '../language/define-words.ts';

export const agentVersionWords = defineWords(
  {
    version: 'Agent version',
    offered: (version: string) =>
      `${version} comes with this Castellan. An agent that runs as a service takes it by itself.`,
    updating: (version: string) => `Updating to ${version}`,
    unnamed: 'a newer version',
    trying: 'The new version is being tried out. The agent is back within a minute or two; the game runs on.',
    steps: {
      'not-fetched': (version: string) => `The update to ${version} could not be fetched`,
      'went-back': (version: string) => `The update to ${version} failed; the agent went back`,
      refused: (version: string) => `The agent refused the update to ${version}`,
      'by-hand': (version: string) => `${version} has to be installed by hand`,
      'other-system': (version: string) => `There is no ${version} for this machine`,
    },
    remedies: {
      'not-fetched':
        'Check on the game’s machine that it reaches Castellan’s address and has room on its disk.',
      'went-back':
        'The game ran on. If it fails again, make a line under “Set up an agent” and run it on the game’s machine: it installs the new version.',
      refused:
        'It is not signed by a key that this agent knows. Make a line under “Set up an agent” and run it on the game’s machine.',
      'by-hand':
        'This agent does not run as a service. Replace its program, or make a line under “Set up an agent” and run it on the game’s machine.',
      'other-system': 'This agent stays at the version that it has.',
    },
    again: 'It is tried again',
  },
  {
    version: 'Versão do agente',
    offered: (version: string) =>
      `A ${version} vem com este Castellan. Um agente que roda como serviço a instala sozinho.`,
    updating: (version: string) => `Atualizando para ${version}`,
    unnamed: 'uma versão mais nova',
    trying:
      'A nova versão está sendo testada. O agente volta em um ou dois minutos; o jogo continua rodando.',
    steps: {
      'not-fetched': (version: string) => `Não foi possível baixar a atualização para ${version}`,
      'went-back': (version: string) =>
        `A atualização para ${version} falhou; o agente voltou à versão anterior`,
      refused: (version: string) => `O agente recusou a atualização para ${version}`,
      'by-hand': (version: string) => `Instale ${version} manualmente`,
      'other-system': (version: string) => `Não há ${version} para esta máquina`,
    },
    remedies: {
      'not-fetched':
        'Verifique na máquina do jogo se ela alcança o endereço do Castellan e se há espaço no disco.',
      'went-back':
        'O jogo continuou rodando. Se falhar de novo, gere uma linha em “Configurar um agente” e execute-a na máquina do jogo: ela instala a nova versão.',
      refused:
        'Ela não foi assinada por uma chave que este agente conheça. Gere uma linha em “Configurar um agente” e execute-a na máquina do jogo.',
      'by-hand':
        'Este agente não roda como serviço. Substitua o programa dele, ou gere uma linha em “Configurar um agente” e execute-a na máquina do jogo.',
      'other-system': 'Este agente fica na versão que tem.',
    },
    again: 'Nova tentativa',
  },
);
