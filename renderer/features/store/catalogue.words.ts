import { plural } from '#contracts/language.ts';
import { defineWords } from '../../language/define-words.ts';

export const catalogueWords = defineWords(
  {
    more: 'More',
    export: 'Export as a file',
    exportPictures: 'Export with pictures',
    import: 'Import a file',
    importText:
      'All products of the file are imported, or none. Products with an id that is known here are changed and keep their stock; all others are added.',
    chooseFile: 'Choose a file',
    chosen: (name: string) => `Chosen: ${name}`,
    tooLarge: 'This file is larger than 64 MB. Export it without pictures.',
    checking: 'The file is being checked…',
    wouldDo: (created: string, changed: string, unchanged: string) =>
      `New: ${created}. Changed: ${changed}. Unchanged: ${unchanged}.`,
    faults: (count: number) => plural.en(count, 'fault in the file', 'faults in the file'),
    faultsMore: (shown: string, total: string) => `The first ${shown} of ${total} faults.`,
    mend: 'Nothing was imported. Fix the file, then choose it again.',
    line: (line: string) => `Line ${line}`,
    doImport: 'Import',
    imported: 'The products are imported',
    duplicate: 'Duplicate',
    copyName: (name: string) => `${name} (copy)`,
    duplicated: (name: string) => `${name} is made. It is switched off.`,
    arrange: 'Arrange products',
    arrangeText: 'Players see the products of a category in this order.',
    noCategory: 'Without a category',
    move: (name: string) => `Move ${name}`,
    howTo:
      'Drag by the handle. With the keyboard: Space to lift, arrows to move, Space to drop, Escape to cancel.',
    lifted: (name: string, place: string, count: string) =>
      `${name} is lifted. Place ${place} of ${count}. Move it with the arrow keys, drop it with Space, cancel with Escape.`,
    movedTo: (name: string, place: string, count: string) => `${name}: place ${place} of ${count}.`,
    dropped: (name: string, place: string) => `${name} is dropped at place ${place}.`,
    cancelled: (name: string) => `${name} is back at its place.`,
    arranged: 'The arrangement is saved',
    empty: 'No product yet',
    readOnly: 'You may look at products, but not arrange them.',
  },
  {
    more: 'Mais',
    export: 'Exportar em arquivo',
    exportPictures: 'Exportar com imagens',
    import: 'Importar um arquivo',
    importText:
      'Todos os produtos do arquivo são importados, ou nenhum. Produtos com um id conhecido aqui são alterados e mantêm o estoque; os outros são adicionados.',
    chooseFile: 'Escolher um arquivo',
    chosen: (name: string) => `Escolhido: ${name}`,
    tooLarge: 'Este arquivo tem mais de 64 MB. Exporte sem imagens.',
    checking: 'O arquivo está sendo verificado…',
    wouldDo: (created: string, changed: string, unchanged: string) =>
      `Novos: ${created}. Alterados: ${changed}. Iguais: ${unchanged}.`,
    faults: (count: number) => plural.pt(count, 'falha no arquivo', 'falhas no arquivo'),
    faultsMore: (shown: string, total: string) => `As primeiras ${shown} de ${total} falhas.`,
    mend: 'Nada foi importado. Corrija o arquivo e escolha-o de novo.',
    line: (line: string) => `Linha ${line}`,
    doImport: 'Importar',
    imported: 'Os produtos foram importados',
    duplicate: 'Duplicar',
    copyName: (name: string) => `${name} (cópia)`,
    duplicated: (name: string) => `${name} foi criado. Ele está desligado.`,
    arrange: 'Organizar produtos',
    arrangeText: 'Os jogadores veem os produtos de uma categoria nesta ordem.',
    noCategory: 'Sem categoria',
    move: (name: string) => `Mover ${name}`,
    howTo:
      'Arraste pela alça. Com o teclado: Espaço para pegar, setas para mover, Espaço para soltar, Esc para cancelar.',
    lifted: (name: string, place: string, count: string) =>
      `${name} foi pego. Posição ${place} de ${count}. Mova com as setas, solte com Espaço, cancele com Esc.`,
    movedTo: (name: string, place: string, count: string) => `${name}: posição ${place} de ${count}.`,
    dropped: (name: string, place: string) => `${name} foi solto na posição ${place}.`,
    cancelled: (name: string) => `${name} voltou ao seu lugar.`,
    arranged: 'A organização foi salva',
    empty: 'Nenhum produto ainda',
    readOnly: 'Você pode ver os produtos, mas não organizá-los.',
  },
);
