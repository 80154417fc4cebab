/** Koffi's native module, which calls Windows's own libraries; it is beside the programs that Node runs. */
export const koffiFile = 'koffi.node';
