import { defineWords } from '#contracts/kernel/words.ts';

export const agentVersionWords = defineWords(
  {
    version: 'Game Agent version',
    offered: (version: string) =>
      `Castellan includes ${version}. A Game Agent that runs as a service installs it automatically.`,
    updating: (version: string) => `Updating to ${version}`,
    unnamed: 'a newer version',
    trying: 'Testing the new version. The Game Agent is back within two minutes; the game keeps running.',
    steps: {
      'not-fetched': (version: string) => `The update to ${version} could not be downloaded`,
      'went-back': (version: string) => `The update to ${version} failed and was undone`,
      refused: (version: string) => `The Game Agent rejected the update to ${version}`,
      'by-hand': (version: string) => `Install ${version} manually`,
      'other-system': (version: string) => `${version} is not available for this machine`,
    },
    remedies: {
      'not-fetched': 'Check that the game’s machine can reach Castellan and has free disk space.',
      'went-back':
        'The game kept running. If it fails again, create a command under “Set up a Game Agent” and run it on the game’s machine.',
      refused:
        'Its signature is not trusted by this Game Agent. Create a command under “Set up a Game Agent” and run it on the game’s machine.',
      'by-hand':
        'This Game Agent does not run as a service. Replace its program, or create a command under “Set up a Game Agent” and run it on the game’s machine.',
      'other-system': 'This Game Agent keeps its version.',
    },
    again: 'Next attempt',
  },
  {
    version: 'Versão do agente de jogo',
    offered: (version: string) =>
      `O Castellan inclui a ${version}. Um agente de jogo que roda como serviço a instala automaticamente.`,
    updating: (version: string) => `Atualizando para ${version}`,
    unnamed: 'uma versão mais nova',
    trying: 'Testando a nova versão. O agente de jogo volta em até dois minutos; o jogo continua rodando.',
    steps: {
      'not-fetched': (version: string) => `Não foi possível baixar a atualização para ${version}`,
      'went-back': (version: string) => `A atualização para ${version} falhou e foi desfeita`,
      refused: (version: string) => `O agente de jogo rejeitou a atualização para ${version}`,
      'by-hand': (version: string) => `Instale ${version} manualmente`,
      'other-system': (version: string) => `${version} não está disponível para esta máquina`,
    },
    remedies: {
      'not-fetched': 'Veja se a máquina do jogo alcança o Castellan e tem espaço livre em disco.',
      'went-back':
        'O jogo continuou rodando. Se falhar de novo, crie um comando em “Configurar um agente de jogo” e execute-o na máquina do jogo.',
      refused:
        'A assinatura não é reconhecida por este agente de jogo. Crie um comando em “Configurar um agente de jogo” e execute-o na máquina do jogo.',
      'by-hand':
        'Este agente de jogo não roda como serviço. Substitua o programa dele, ou crie um comando em “Configurar um agente de jogo” e execute-o na máquina do jogo.',
      'other-system': 'Este agente de jogo fica na versão atual.',
    },
    again: 'Próxima tentativa',
  },
);
