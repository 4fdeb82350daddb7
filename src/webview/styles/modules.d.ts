/** Style sheets are taken in for their effect: the bundler gathers them. */
declare module '*.css';
