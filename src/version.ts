/** The version of the program and of its package. package.json has none, so that `npm pack` refuses the checkout. */
export const VERSION = '1.0.0-rc.1';
