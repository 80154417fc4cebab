import { defineWords } from '#contracts/kernel/words.ts';

export const restoreWords = defineWords(
  {
    title: 'Restore a backup',
    text: 'Puts database, settings and their keys back as they were. What is there now is kept, and you can go back to it.',
    empty: 'There is no backup yet.',
    services: 'Castellan runs as Windows Services. Remove them, restore, and install them again:',
    version: 'Version',
    restore: 'Restore …',
    restoreOf: (when: string) => `Restore the backup of ${when} …`,
    question: (when: string) => `Restore the backup of ${when}?`,
    questionText:
      'Castellan stops, compares and tests the backup, puts it in place and starts again. This page shows how far it is.',
    loses: (when: string) =>
      `What happened after ${when} is missing then: orders, points, accounts, settings. It is kept beside the data, and “Go back” brings it back. Items that were given stay in the games.`,
    act: 'Stop Castellan and restore',
    news: {
      restored: (when: string) => `Restored the backup of ${when}.`,
      'went-back': 'Castellan is back to before the restore.',
      cancelled: 'Restore cancelled. Nothing was changed.',
      failed: 'Nothing was restored. Your data is unchanged.',
      finished:
        'A restore was interrupted after it had begun to replace the data. It was finished at this start.',
      'finished-back':
        'Going back to before a restore was interrupted after it had begun. It was finished at this start.',
      removed: 'A restore was interrupted before it had replaced anything. Your data is unchanged.',
    },
    kept: 'Before the restore',
    keptText: 'What restores have replaced. It stays until you delete it.',
    replacedBy: (when: string, backup: string) => `Replaced on ${when} by the backup of ${backup}`,
    replaced: (when: string) => `Replaced on ${when} by an earlier state`,
    back: 'Go back to before the restore …',
    backQuestion: 'Go back to before the restore?',
    backText:
      'Castellan stops, puts this state in place and starts again. What is there now is kept in turn; only the license stays as it is.',
    backAct: 'Stop Castellan and go back',
    remove: 'Delete …',
    removeQuestion: 'Delete what was there before the restore?',
    removeText: (bytes: string) =>
      `This deletes ${bytes} and cannot be undone. There is no way back after that.`,
    removeAct: 'Delete',
    removeWait: 'You can delete it once everything runs.',
  },
  {
    title: 'Restaurar um backup',
    text: 'Põe banco de dados, configurações e chaves de volta como estavam. O que há agora é guardado, e você pode voltar a isso.',
    empty: 'Ainda não há backup.',
    services: 'O Castellan roda como Serviços do Windows. Remova-os, restaure e instale-os de novo:',
    version: 'Versão',
    restore: 'Restaurar …',
    restoreOf: (when: string) => `Restaurar o backup de ${when} …`,
    question: (when: string) => `Restaurar o backup de ${when}?`,
    questionText:
      'O Castellan para, compara e testa o backup, põe-no no lugar e inicia de novo. Esta página mostra o andamento.',
    loses: (when: string) =>
      `O que aconteceu depois de ${when} fica faltando: pedidos, pontos, contas, configurações. Isso fica guardado ao lado dos dados, e “Voltar” o traz de volta. Os itens entregues continuam nos jogos.`,
    act: 'Parar o Castellan e restaurar',
    news: {
      restored: (when: string) => `O backup de ${when} foi restaurado.`,
      'went-back': 'O Castellan voltou a antes da restauração.',
      cancelled: 'Restauração cancelada. Nada foi alterado.',
      failed: 'Nada foi restaurado. Seus dados não foram alterados.',
      finished:
        'Uma restauração foi interrompida depois de começar a substituir os dados. Ela foi concluída neste início.',
      'finished-back':
        'A volta a antes de uma restauração foi interrompida depois de começar. Ela foi concluída neste início.',
      removed: 'Uma restauração foi interrompida antes de substituir algo. Seus dados não foram alterados.',
    },
    kept: 'Antes da restauração',
    keptText: 'O que as restaurações substituíram. Fica até você apagar.',
    replacedBy: (when: string, backup: string) => `Substituído em ${when} pelo backup de ${backup}`,
    replaced: (when: string) => `Substituído em ${when} por um estado anterior`,
    back: 'Voltar a antes da restauração …',
    backQuestion: 'Voltar a antes da restauração?',
    backText:
      'O Castellan para, põe este estado no lugar e inicia de novo. O que há agora também é guardado; só a licença fica como está.',
    backAct: 'Parar o Castellan e voltar',
    remove: 'Apagar …',
    removeQuestion: 'Apagar o que havia antes da restauração?',
    removeText: (bytes: string) => `Isto apaga ${bytes} e não pode ser desfeito. Depois disso não há volta.`,
    removeAct: 'Apagar',
    removeWait: 'Você pode apagá-lo quando tudo estiver rodando.',
  },
);
