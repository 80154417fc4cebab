import { defineWords } from '../../../language/define-words.ts';

export const settingsWords = defineWords(
  {
    server: 'This server',
    save: 'Save',
    saveAnyway: 'Save all the same',
    saved: 'Saved. Castellan connects to the server anew.',
    unchanged: 'Nothing is changed.',
    undo: 'Undo the changes',
    password: {
      label: 'Password of the console',
      keep: 'Keep the stored one',
      keepNot: 'The stored password goes to no other host or port: enter it anew.',
      new: 'A new one',
      none: 'None: the game asks for no password',
      field: 'New password',
      forgotten:
        'With another port, Castellan forgets the stored password. The agent has its own in its config.json.',
    },
    conflict: {
      title: 'Somebody else has changed this server meanwhile',
      text: 'Nothing of yours was saved, and nothing is lost. It differs in:',
      same: 'What they changed is not what you changed.',
      theirs: 'Now',
      yours: 'Yours',
    },
    fields: { name: 'Name', clusterId: 'Cluster', host: 'Host', port: 'Port', none: 'none' },
    archive: {
      title: 'Archive',
      text: 'A server in the archive gets no commands, and its agent is not let in. Its history stays, and it can be restored.',
      act: 'Archive this server',
      // Isolated, a name of any script leaves the order of the words around it alone.
      question: (name: string) => `Archive \u2068${name}\u2069?`,
      restore: 'Restore this server',
      restoreText: 'It is in the archive. Restored, it is reached again at once.',
    },
    archivedFields: 'It is in the archive: restore it to change it.',
    agent: {
      title: 'Game Agent',
      text: 'A small program beside the game: it connects to Castellan by itself, so that the port of the console never has to be open.',
      open: 'See it, set it up or replace it',
    },
  },
  {
    server: 'Este servidor',
    save: 'Salvar',
    saveAnyway: 'Salvar mesmo assim',
    saved: 'Salvo. O Castellan está se conectando de novo ao servidor.',
    unchanged: 'Nada foi alterado.',
    undo: 'Desfazer as alterações',
    password: {
      label: 'Senha do console',
      keep: 'Manter a guardada',
      keepNot: 'A senha guardada não vai para outro host ou porta: digite-a de novo.',
      new: 'Uma nova',
      none: 'Nenhuma: o jogo não pede senha',
      field: 'Nova senha',
      forgotten: 'Com outra porta, o Castellan esquece a senha guardada. O agente tem a dele no config.json.',
    },
    conflict: {
      title: 'Outra pessoa alterou este servidor nesse meio-tempo',
      text: 'Nada do que você fez foi salvo, e nada se perdeu. A diferença:',
      same: 'O que a outra pessoa alterou não é o que você alterou.',
      theirs: 'Agora',
      yours: 'O seu',
    },
    fields: { name: 'Nome', clusterId: 'Cluster', host: 'Host', port: 'Porta', none: 'nenhum' },
    archive: {
      title: 'Arquivar',
      text: 'Um servidor arquivado não recebe comandos, e o agente dele não consegue se conectar. O histórico fica, e é possível restaurá-lo.',
      act: 'Arquivar este servidor',
      question: (name: string) => `Arquivar \u2068${name}\u2069?`,
      restore: 'Restaurar este servidor',
      restoreText: 'Ele está arquivado. Ao restaurar, o Castellan volta a se conectar na hora.',
    },
    archivedFields: 'Ele está arquivado: restaure-o para alterar.',
    agent: {
      title: 'Agente de jogo',
      text: 'Um pequeno programa ao lado do jogo: ele mesmo se conecta ao Castellan, e a porta do console nunca precisa ficar aberta.',
      open: 'Ver, configurar ou substituir',
    },
  },
);
