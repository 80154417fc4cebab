import { defineWords } from '#contracts/kernel/words.ts';

export const dataWords = defineWords(
  {
    title: 'Data folder',
    text: 'Your database, backups, logs and settings are stored here:',
    fixed: {
      environment: 'CASTELLAN_HOME sets this folder, so you can’t move it here.',
      services:
        'Windows Services use this folder. Remove the services, move the folder, then install them again.',
    },
    move: 'Move to another folder',
    moveText:
      'Castellan stops, copies and verifies everything, then starts in the new folder. The old folder stays until you delete it.',
    label: 'New folder',
    choose: 'Choose …',
    check: 'Check',
    begin: 'Stop Castellan and move',
    fine: (bytes: string, files: string, free: string) =>
      `${bytes} in ${files} files will be copied. ${free} free in the new location.`,
    full: (needed: string, free: string) => `Not enough space: ${needed} needed, ${free} free.`,
    wrong: {
      away: 'The drive of this folder is not connected.',
      'not-empty': 'This folder is not empty. Choose an empty one, or a new name.',
      inside: 'One folder can’t be inside the other.',
      unmovable: 'This item in the current folder can’t be moved:',
    },
    news: {
      moved: 'Castellan now runs from the new folder.',
      movedOnly: 'Your data is in the new folder. Castellan is still starting or needs your attention.',
      cancelled: 'Move cancelled. Your data is still in the old folder.',
      failed: 'The move failed. Your data is still in the old folder.',
      'went-back':
        'Castellan could not start in the new folder and uses the old one again. Nothing was lost.',
    },
    kept: 'Old data folder',
    keptText: (bytes: string) => `It holds ${bytes} from before the move and is no longer used.`,
    keptWait: 'You can delete it once everything runs in the new folder.',
    deleteKept: 'Delete old folder …',
    deleteKeptTitle: 'Delete the old folder?',
    deleteKeptText: (folder: string, bytes: string) =>
      `This deletes ${bytes} from ${folder} and cannot be undone. A small file that points to the new folder stays.`,
    deleteAct: 'Delete',
    half: 'Unfinished copy',
    halfText: 'A move was interrupted. Your data is still in the old folder, and you can delete this copy.',
    deleteHalf: 'Delete unfinished copy',
  },
  {
    title: 'Pasta de dados',
    text: 'Seu banco de dados, backups, logs e configurações ficam aqui:',
    fixed: {
      environment: 'CASTELLAN_HOME define esta pasta, então você não pode movê-la aqui.',
      services:
        'Os Serviços do Windows usam esta pasta. Remova os serviços, mova a pasta e instale-os de novo.',
    },
    move: 'Mover para outra pasta',
    moveText:
      'O Castellan para, copia e confere tudo, e depois inicia na nova pasta. A antiga fica até você apagá-la.',
    label: 'Nova pasta',
    choose: 'Escolher …',
    check: 'Verificar',
    begin: 'Parar o Castellan e mover',
    fine: (bytes: string, files: string, free: string) =>
      `${bytes} em ${files} arquivos serão copiados. ${free} livres no novo local.`,
    full: (needed: string, free: string) =>
      `Espaço insuficiente: são necessários ${needed}, e há ${free} livres.`,
    wrong: {
      away: 'O disco desta pasta não está conectado.',
      'not-empty': 'Esta pasta não está vazia. Escolha uma vazia ou um nome novo.',
      inside: 'Uma pasta não pode ficar dentro da outra.',
      unmovable: 'Este item da pasta atual não pode ser movido:',
    },
    news: {
      moved: 'O Castellan agora roda a partir da nova pasta.',
      movedOnly:
        'Seus dados estão na nova pasta. O Castellan ainda está iniciando ou precisa da sua atenção.',
      cancelled: 'Mudança cancelada. Seus dados continuam na pasta antiga.',
      failed: 'A mudança falhou. Seus dados continuam na pasta antiga.',
      'went-back':
        'O Castellan não conseguiu iniciar na nova pasta e voltou a usar a antiga. Nada se perdeu.',
    },
    kept: 'Pasta de dados antiga',
    keptText: (bytes: string) => `Ela guarda ${bytes} de antes da mudança e não é mais usada.`,
    keptWait: 'Você pode apagá-la quando tudo rodar na nova pasta.',
    deleteKept: 'Apagar a pasta antiga …',
    deleteKeptTitle: 'Apagar a pasta antiga?',
    deleteKeptText: (folder: string, bytes: string) =>
      `Isto apaga ${bytes} de ${folder} e não pode ser desfeito. Fica um pequeno arquivo que aponta para a nova pasta.`,
    deleteAct: 'Apagar',
    half: 'Cópia inacabada',
    halfText:
      'Uma mudança foi interrompida. Seus dados continuam na pasta antiga, e você pode apagar esta cópia.',
    deleteHalf: 'Apagar cópia inacabada',
  },
);
