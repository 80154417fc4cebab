import { defineWords } from '../../../language/define-words.ts';

export const dataWords = defineWords(
  {
    title: 'Data folder',
    text: 'Database, backups, logs and settings of this installation:',
    fixed: {
      environment:
        'The environment variable CASTELLAN_HOME says where this folder is, so that it cannot be moved here.',
      services:
        'Windows Services run everything in this folder. Remove the services first, move the folder, then install them again.',
    },
    move: 'Move to another folder',
    moveText:
      'Everything is stopped, copied, and read back; then it starts in the new folder. The old one is kept until you delete it.',
    label: 'New folder',
    choose: 'Choose …',
    check: 'Check',
    begin: 'Stop everything and move',
    fine: (bytes: string, files: string, free: string) =>
      `${bytes} in ${files} files are to be copied; ${free} are free there.`,
    full: (needed: string, free: string) =>
      `There is not enough room: ${needed} are needed, with some to spare, and ${free} are free.`,
    wrong: {
      'not-absolute': 'Write the folder in full, such as D:\\Castellan or /srv/castellan.',
      unspellable:
        'The name of this folder has letters that the database cannot use on this machine. Choose one named in plain letters, such as D:\\Castellan.',
      'no-drive': 'There is no such drive.',
      away: 'The disk of this folder is not there.',
      'not-a-folder': 'There is a file of that name.',
      'not-writable': 'Castellan may not write there. Choose another folder.',
      'not-empty': 'There is something in this folder already. Choose an empty one, or a new name.',
      inside: 'The two folders must not lie in each other.',
      programs:
        'Castellan itself is installed there, and an update would take the data away. Choose another folder.',
      network:
        'This folder is on another machine. A database needs a disk of its own machine: a network that stumbles would damage it.',
      synced:
        'This folder is kept in step with a cloud, which would change files under the database. Choose one outside of it.',
      rights: 'The database cannot keep its files from other accounts there. Choose another folder or disk.',
      unmovable: 'Something in the present folder is in the way:',
    },
    news: {
      moved: 'Everything is in the new folder and runs from there.',
      movedOnly: 'Everything is in the new folder. It is still starting, or needs your attention.',
      cancelled: 'The move was called off. Everything is where it was.',
      failed: 'The move failed. Everything is where it was.',
      'went-back':
        'Castellan could not be started in the new folder, so that the old one is in use again. Nothing is lost.',
    },
    kept: 'The old folder',
    keptText: (bytes: string) =>
      `It still holds the state from before the move, ${bytes}. Nothing uses it any more. Going back to it would lose all that has happened since; to return there, delete it and move again.`,
    keptWait: 'It can be deleted once everything runs in the new folder.',
    deleteKept: 'Delete the old folder …',
    deleteKeptTitle: 'Delete the old folder?',
    deleteKeptText: (folder: string, bytes: string) =>
      `${folder} is emptied, ${bytes}. This cannot be undone. A small file stays, which leads to the new folder.`,
    deleteAct: 'Delete',
    half: 'An unfinished copy',
    halfText:
      'A move was interrupted here. Everything is where it was; what was copied so far can be deleted.',
    deleteHalf: 'Delete the unfinished copy',
  },
  {
    title: 'Pasta de dados',
    text: 'Banco de dados, backups, logs e configurações desta instalação:',
    fixed: {
      environment:
        'A variável de ambiente CASTELLAN_HOME diz onde esta pasta fica, então ela não pode ser movida aqui.',
      services:
        'Os Serviços do Windows rodam tudo nesta pasta. Remova os serviços primeiro, mova a pasta e instale-os de novo.',
    },
    move: 'Mover para outra pasta',
    moveText:
      'Tudo é parado, copiado e lido de volta; depois inicia na nova pasta. A antiga é mantida até você apagá-la.',
    label: 'Nova pasta',
    choose: 'Escolher …',
    check: 'Verificar',
    begin: 'Parar tudo e mover',
    fine: (bytes: string, files: string, free: string) =>
      `${bytes} em ${files} arquivos serão copiados; lá há ${free} livres.`,
    full: (needed: string, free: string) =>
      `Não há espaço suficiente: são necessários ${needed}, com alguma folga, e há ${free} livres.`,
    wrong: {
      'not-absolute': 'Escreva a pasta por inteiro, como D:\\Castellan ou /srv/castellan.',
      unspellable:
        'O nome desta pasta tem letras que o banco de dados não consegue usar nesta máquina. Escolha uma com letras simples, como D:\\Castellan.',
      'no-drive': 'Esse disco não existe.',
      away: 'O disco desta pasta não está lá.',
      'not-a-folder': 'Existe um arquivo com esse nome.',
      'not-writable': 'O Castellan não pode gravar lá. Escolha outra pasta.',
      'not-empty': 'Já existe algo nesta pasta. Escolha uma vazia, ou um nome novo.',
      inside: 'Uma pasta não pode ficar dentro da outra.',
      programs:
        'O próprio Castellan está instalado lá, e uma atualização levaria os dados. Escolha outra pasta.',
      network:
        'Esta pasta fica em outra máquina. Um banco de dados precisa de um disco da própria máquina: uma rede que falha o danificaria.',
      synced:
        'Esta pasta é sincronizada com uma nuvem, que mudaria arquivos por baixo do banco de dados. Escolha uma fora dela.',
      rights:
        'Lá o banco de dados não consegue proteger seus arquivos de outras contas. Escolha outra pasta ou disco.',
      unmovable: 'Algo na pasta atual está no caminho:',
    },
    news: {
      moved: 'Tudo está na nova pasta e roda a partir dela.',
      movedOnly: 'Tudo está na nova pasta. Ainda está iniciando, ou precisa da sua atenção.',
      cancelled: 'Você desistiu da mudança. Tudo está onde estava.',
      failed: 'A mudança falhou. Tudo está onde estava.',
      'went-back':
        'O Castellan não pôde ser iniciado na nova pasta, então a antiga está em uso de novo. Nada se perdeu.',
    },
    kept: 'A pasta antiga',
    keptText: (bytes: string) =>
      `Ela ainda guarda o estado de antes da mudança, ${bytes}. Nada mais a usa. Voltar a ela perderia tudo o que aconteceu desde então; para retornar, apague-a e mova de novo.`,
    keptWait: 'Ela pode ser apagada quando tudo rodar na nova pasta.',
    deleteKept: 'Apagar a pasta antiga …',
    deleteKeptTitle: 'Apagar a pasta antiga?',
    deleteKeptText: (folder: string, bytes: string) =>
      `${folder} é esvaziada, ${bytes}. Isso não pode ser desfeito. Fica um pequeno arquivo, que leva à nova pasta.`,
    deleteAct: 'Apagar',
    half: 'Uma cópia inacabada',
    halfText:
      'Uma mudança foi interrompida aqui. Tudo está onde estava; o que foi copiado até então pode ser apagado.',
    deleteHalf: 'Apagar a cópia inacabada',
  },
);
